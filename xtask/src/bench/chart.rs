//! The chart of growth: what a path takes per series, by the size of the library.

use anyhow::{Context, Result, anyhow};
use plotters::prelude::*;

use super::Point;

/// Of one of the two panels, in pixels.
const SIZE: (u32, u32) = (440, 340);

/// Draws time and memory per series side by side, as SVG.
///
/// # Errors
/// When there is nothing to draw.
pub(super) fn draw(points: &[Point]) -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (SIZE.0 * 2, SIZE.1)).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        let (left, right) = area.split_horizontally(SIZE.0);
        panel(&left, "time per series, µs", &lines(points, |point| Some(point.ms * 1e3)))?;
        panel(&right, "memory per series, KB", &lines(points, |point| point.bytes.map(|bytes| bytes / 1e3)))?;
        area.present().map_err(failed)?;
    }
    Ok(svg)
}

fn failed<E: std::fmt::Display>(error: E) -> anyhow::Error {
    anyhow!("the chart: {error}")
}

type Line<'a> = (&'a str, Vec<(f64, f64)>);

/// For each path the size of the library and what is taken per series.
fn lines(points: &[Point], of: impl Fn(&Point) -> Option<f64>) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for point in points {
        let Some(value) = of(point) else { continue };
        let place = (f64::from(point.series), value / f64::from(point.series));
        match lines.iter_mut().find(|(path, _)| *path == point.path) {
            Some((_, line)) => line.push(place),
            None => lines.push((&point.path, vec![place])),
        }
    }
    lines
}

fn panel(area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>, title: &str, lines: &[Line<'_>]) -> Result<()> {
    let all = || lines.iter().flat_map(|(_, line)| line);
    let most = all().map(|(_, value)| *value).reduce(f64::max).context("nothing was measured")?;
    let (first, last) = all().fold((f64::MAX, 0.0_f64), |(first, last), (size, _)| (first.min(*size), last.max(*size)));
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 15))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(50)
        .build_cartesian_2d((first..last).log_scale(), 0.0..most * 1.25)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("series in the library")
        .x_labels(3)
        .x_label_formatter(&|size| format!("{size:.0}"))
        .draw()
        .map_err(failed)?;
    for (at, (path, line)) in lines.iter().enumerate() {
        let color = Palette99::pick(at).to_rgba();
        chart
            .draw_series(LineSeries::new(line.iter().copied(), color.stroke_width(2)).point_size(3))
            .map_err(failed)?
            .label(*path)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(RGBColor(200, 200, 200))
        .draw()
        .map_err(failed)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::bench::Point;

    #[test]
    fn both_panels_have_a_line_for_each_path_measured() {
        let point = |path: &str, series, bytes| Point { path: path.to_owned(), series, ms: 2.0, bytes };
        let points = [point("list", 100, Some(1e6)), point("list", 1_000, Some(2e6)), point("bare", 100, None)];
        let svg = draw(&points).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("\nlist\n").count(), 2, "{svg}");
        assert_eq!(svg.matches("\nbare\n").count(), 1);
        assert!(draw(&[]).is_err());
    }
}
