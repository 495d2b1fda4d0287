//! The qualities that Sonarr knows, and how profiles rank them.

use serde_json::{Value, json};

use crate::state::{Row, flag, int};

/// A quality: a constant of the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quality {
    pub id: i64,
    pub name: &'static str,
    pub source: &'static str,
    pub resolution: i64,
    /// Rank among all qualities.
    pub weight: i64,
    /// Smallest and largest megabytes a minute of a fresh installation; no largest means unlimited.
    pub min_size: f64,
    pub max_size: Option<f64>,
}

const fn quality(
    id: i64,
    name: &'static str,
    source: &'static str,
    resolution: i64,
    weight: i64,
    min_size: f64,
    max_size: Option<f64>,
) -> Quality {
    Quality { id, name, source, resolution, weight, min_size, max_size }
}

/// Every quality in the order of its rank.
pub(crate) const QUALITIES: [Quality; 22] = [
    quality(0, "Unknown", "unknown", 0, 1, 1.0, Some(199.9)),
    quality(1, "SDTV", "television", 480, 2, 2.0, Some(100.0)),
    quality(12, "WEBRip-480p", "webRip", 480, 3, 2.0, Some(100.0)),
    quality(8, "WEBDL-480p", "web", 480, 3, 2.0, Some(100.0)),
    quality(2, "DVD", "dvd", 480, 4, 2.0, Some(100.0)),
    quality(13, "Bluray-480p", "bluray", 480, 5, 2.0, Some(100.0)),
    quality(22, "Bluray-576p", "bluray", 576, 6, 2.0, Some(100.0)),
    quality(4, "HDTV-720p", "television", 720, 7, 3.0, Some(125.0)),
    quality(9, "HDTV-1080p", "television", 1080, 8, 4.0, Some(125.0)),
    quality(10, "Raw-HD", "televisionRaw", 1080, 9, 4.0, None),
    quality(14, "WEBRip-720p", "webRip", 720, 10, 3.0, Some(130.0)),
    quality(5, "WEBDL-720p", "web", 720, 10, 3.0, Some(130.0)),
    quality(6, "Bluray-720p", "bluray", 720, 11, 4.0, Some(130.0)),
    quality(15, "WEBRip-1080p", "webRip", 1080, 12, 4.0, Some(130.0)),
    quality(3, "WEBDL-1080p", "web", 1080, 12, 4.0, Some(130.0)),
    quality(7, "Bluray-1080p", "bluray", 1080, 13, 4.0, Some(155.0)),
    quality(20, "Bluray-1080p Remux", "blurayRaw", 1080, 14, 35.0, None),
    quality(16, "HDTV-2160p", "television", 2160, 15, 35.0, Some(199.9)),
    quality(17, "WEBRip-2160p", "webRip", 2160, 16, 35.0, None),
    quality(18, "WEBDL-2160p", "web", 2160, 16, 35.0, None),
    quality(19, "Bluray-2160p", "bluray", 2160, 17, 35.0, None),
    quality(21, "Bluray-2160p Remux", "blurayRaw", 2160, 18, 35.0, None),
];

impl Quality {
    /// The size limits of a fresh installation as members of a definition; no largest size leaves two of them out.
    pub(crate) fn write_sizes(&self, row: &mut Row) {
        row.insert("minSize".into(), decimal(self.min_size));
        row.shift_remove("maxSize");
        row.shift_remove("preferredSize");
        if let Some(max) = self.max_size {
            row.insert("maxSize".into(), decimal(max));
            row.insert("preferredSize".into(), decimal(95.0_f64.min(max - 5.0)));
        }
    }
}

/// A number as .NET writes it: without a fraction when it has none.
pub(crate) fn decimal(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { Value::from(number as i64) } else { json!(number) }
}

/// A quality by its id.
pub(crate) fn by_id(id: i64) -> Option<&'static Quality> {
    QUALITIES.iter().find(|quality| quality.id == id)
}

/// A quality as a member of something else.
pub(crate) fn quality_json(id: i64) -> Value {
    match by_id(id) {
        Some(quality) => json!({
            "id": quality.id, "name": quality.name, "source": quality.source, "resolution": quality.resolution,
        }),
        None => json!({"id": id, "name": "Unknown", "source": "unknown", "resolution": 0}),
    }
}

/// A quality with its revision.
pub(crate) fn model(id: i64, version: i64, repack: bool) -> Value {
    json!({"quality": quality_json(id), "revision": {"version": version, "real": 0, "isRepack": repack}})
}

/// The quality id inside a quality model.
pub(crate) fn model_id(model: &Value) -> i64 {
    model.pointer("/quality/id").and_then(Value::as_i64).unwrap_or(0)
}

/// The quality that a release title names.
pub(crate) fn from_title(title: &str) -> i64 {
    let lower = title.to_ascii_lowercase();
    let has = |part: &str| lower.contains(part);
    let resolution = ["2160", "1080", "720", "576", "480"].into_iter().find(|number| has(number));
    let source = if has("remux") {
        "blurayRaw"
    } else if has("bluray") || has("blu-ray") || has("bdrip") {
        "bluray"
    } else if has("webrip") {
        "webRip"
    } else if has("web") {
        "web"
    } else if has("hdtv") || has("sdtv") {
        "television"
    } else if has("dvd") {
        return 2;
    } else {
        ""
    };
    let resolution: i64 = resolution.and_then(|number| number.parse().ok()).unwrap_or(0);
    match (source, resolution) {
        ("", 0) => 0,
        ("television", 0) => 1,
        ("", resolution) => find("television", resolution),
        (source, 0) => find(source, 480),
        (source, resolution) => find(source, resolution),
    }
}

fn find(source: &str, resolution: i64) -> i64 {
    QUALITIES
        .iter()
        .find(|quality| quality.source == source && quality.resolution == resolution)
        .map_or(0, |quality| quality.id)
}

/// The place of a quality in a profile's order (higher is better) and whether it is allowed.
pub(crate) fn rank(profile: &Row, quality_id: i64) -> Option<(usize, bool)> {
    items(profile).iter().enumerate().find_map(|(place, item)| {
        let direct = item.pointer("/quality/id").and_then(Value::as_i64) == Some(quality_id);
        let inside = item.get("items").and_then(Value::as_array).is_some_and(|inner| {
            inner.iter().any(|item| item.pointer("/quality/id").and_then(Value::as_i64) == Some(quality_id))
        });
        let allowed = item.get("allowed").and_then(Value::as_bool).unwrap_or(false);
        (direct || inside).then_some((place, allowed))
    })
}

/// Whether a quality lies below the cutoff of a profile that allows upgrades.
pub(crate) fn below_cutoff(profile: &Row, quality_id: i64) -> bool {
    if !flag(profile, "upgradeAllowed") {
        return false;
    }
    let cutoff = int(profile, "cutoff");
    let place = items(profile).iter().position(|item| {
        item.get("id").and_then(Value::as_i64) == Some(cutoff)
            || item.pointer("/quality/id").and_then(Value::as_i64) == Some(cutoff)
    });
    match (rank(profile, quality_id), place) {
        (Some((own, _)), Some(cutoff)) => own < cutoff,
        _ => false,
    }
}

fn items(profile: &Row) -> &[Value] {
    profile.get("items").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The items of a new profile: single qualities and the four groups of web qualities.
pub(crate) fn profile_items(allowed: impl Fn(&Quality) -> bool) -> Value {
    const GROUPS: [(i64, &str, [i64; 2]); 4] = [
        (1000, "WEB 480p", [12, 8]),
        (1001, "WEB 720p", [14, 5]),
        (1002, "WEB 1080p", [15, 3]),
        (1003, "WEB 2160p", [17, 18]),
    ];
    let single =
        |quality: &Quality| json!({"quality": quality_json(quality.id), "items": [], "allowed": allowed(quality)});
    let mut items = Vec::new();
    for quality in &QUALITIES {
        match GROUPS.iter().find(|(_, _, members)| members.contains(&quality.id)) {
            Some((id, name, members)) if members.first() == Some(&quality.id) => {
                let inner: Vec<Value> = members.iter().filter_map(|id| by_id(*id)).map(single).collect();
                items.push(json!({"name": name, "items": inner, "allowed": allowed(quality), "id": id}));
            }
            Some(_) => {}
            None => items.push(single(quality)),
        }
    }
    Value::Array(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::object;

    fn profile() -> Row {
        object(
            json!({"upgradeAllowed": true, "cutoff": 1002, "items": profile_items(|quality| quality.resolution >= 720)}),
        )
    }

    #[test]
    fn titles_name_qualities() {
        for (title, id) in [
            ("A.S01E01.1080p.WEB.h264-X", 3),
            ("A.S01E01.720p.HDTV.x264-X", 4),
            ("A.S01E01.2160p.BluRay.REMUX-X", 21),
            ("A.S01E01.WEBRip.1080p", 15),
            ("A S01E01", 0),
            ("A.S01E01.HDTV", 1),
        ] {
            assert_eq!(from_title(title), id, "{title}");
        }
    }

    #[test]
    fn a_cutoff_may_be_a_group() {
        assert!(below_cutoff(&profile(), 5));
        assert!(!below_cutoff(&profile(), 3));
        assert!(!below_cutoff(&profile(), 15));
        assert!(!below_cutoff(&profile(), 18));
    }

    #[test]
    fn a_new_profile_holds_every_quality_once() {
        let items = profile_items(|_| true);
        let mut ids: Vec<i64> = Vec::new();
        for item in items.as_array().unwrap() {
            let inner = item["items"].as_array().unwrap();
            if inner.is_empty() {
                ids.push(item["quality"]["id"].as_i64().unwrap());
            }
            ids.extend(inner.iter().map(|item| item["quality"]["id"].as_i64().unwrap()));
        }
        ids.sort_unstable();
        assert_eq!(ids, (0..=22).filter(|id| *id != 11).collect::<Vec<i64>>());
    }
}
