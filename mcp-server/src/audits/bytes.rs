//! Sizes as people read them.

/// Bytes in the largest decimal unit that leaves a number before the point: `7.3 GB`, `412 MB`.
pub fn human(bytes: i64) -> String {
    const UNITS: [(&str, f64); 4] = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    #[expect(clippy::cast_precision_loss, reason = "it is rounded anyway")]
    let size = bytes as f64;
    for (unit, worth) in UNITS {
        if size.abs() >= worth {
            let number = size / worth;
            let digits = usize::from(number.abs() < 100.0);
            return format!("{number:.digits$} {unit}");
        }
    }
    format!("{bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::human;

    #[test]
    fn sizes_have_the_unit_that_suits_them() {
        for (bytes, expected) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_500, "1.5 kB"),
            (412_000_000, "412 MB"),
            (7_340_000_000, "7.3 GB"),
            (5_059_419_324_416, "5.1 TB"),
            (-2_000_000_000, "-2.0 GB"),
        ] {
            assert_eq!(human(bytes), expected);
        }
    }
}
