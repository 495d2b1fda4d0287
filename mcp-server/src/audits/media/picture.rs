//! The size of a picture, and the quality that it can be.

/// A class of qualities by the height of a full picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// 480p and 576p, as on DVD.
    Standard,
    P720,
    P1080,
    P2160,
}

impl Class {
    /// The class of a quality by its `resolution`; nothing for `Unknown`.
    pub fn of_quality(resolution: i32) -> Option<Class> {
        match resolution {
            360..=576 => Some(Class::Standard),
            720 => Some(Class::P720),
            1080 => Some(Class::P1080),
            2160 => Some(Class::P2160),
            _ => None,
        }
    }

    /// The class that a picture of this size is for certain, whatever was cut off it.
    ///
    /// Black bars above and below or at both sides may be cut off, so that a small height alone says nothing, and a
    /// small width alone neither: `1920x800` and `1440x1080` are both 1080p. Sizes between the classes are of none.
    pub fn of_picture(width: u32, height: u32) -> Option<Class> {
        match (width, height) {
            (0, _) | (_, 0) => None,
            (3200.., _) | (_, 2000..) => Some(Class::P2160),
            (0..=2048, 0..=1200) if width >= 1800 || height >= 1000 => Some(Class::P1080),
            (0..=1366, 0..=800) if width >= 1200 || height >= 700 => Some(Class::P720),
            (0..=860, 0..=620) => Some(Class::Standard),
            _ => None,
        }
    }

    /// The `resolution` of the qualities in this class, the usual one first.
    pub fn resolutions(self) -> &'static [i32] {
        match self {
            Class::Standard => &[480, 576],
            Class::P720 => &[720],
            Class::P1080 => &[1080],
            Class::P2160 => &[2160],
        }
    }
}

/// The class that the picture is of, where it is certainly not that of the quality.
pub fn contradiction(resolution: i32, (width, height): (u32, u32)) -> Option<Class> {
    let recorded = Class::of_quality(resolution)?;
    Class::of_picture(width, height).filter(|class| *class != recorded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_cut_off_a_picture_stays_what_it_was() {
        for (resolution, pictures) in [
            (2160, &[(3840, 2160), (3840, 1600), (2880, 2160), (4096, 2160), (3832, 1606)][..]),
            (
                1080,
                &[
                    (1920, 1080),
                    (1920, 800),
                    (1440, 1080),
                    (1916, 796),
                    (1480, 1080),
                    (1440, 612),
                    (2048, 1080),
                    (1080, 1920),
                ],
            ),
            (720, &[(1280, 720), (1280, 534), (960, 720), (960, 408), (1278, 718), (1366, 768)]),
            (480, &[(720, 480), (640, 480), (720, 576), (854, 480), (640, 352), (704, 396), (1024, 576)]),
            (576, &[(720, 576), (768, 576), (1024, 576)]),
        ] {
            for picture in pictures {
                assert_eq!(contradiction(resolution, *picture), None, "{resolution} {picture:?}");
            }
        }
    }

    #[test]
    fn another_class_is_told() {
        for (resolution, picture, class) in [
            (1080, (1280, 720), Class::P720),
            (1080, (1280, 536), Class::P720),
            (1080, (960, 720), Class::P720),
            (1080, (720, 576), Class::Standard),
            (2160, (1920, 1080), Class::P1080),
            (2160, (1920, 800), Class::P1080),
            (720, (1920, 1080), Class::P1080),
            (720, (1440, 1080), Class::P1080),
            (720, (720, 404), Class::Standard),
            (480, (1280, 720), Class::P720),
            (576, (1920, 1080), Class::P1080),
            (1080, (3840, 2160), Class::P2160),
        ] {
            assert_eq!(contradiction(resolution, picture), Some(class), "{resolution} {picture:?}");
        }
    }

    #[test]
    fn what_is_unknown_or_in_between_says_nothing() {
        for (resolution, picture) in [
            (0, (1280, 720)),
            (1080, (0, 0)),
            (1080, (0, 720)),
            (1080, (2560, 1440)),
            (1080, (1600, 900)),
            (720, (960, 540)),
        ] {
            assert_eq!(contradiction(resolution, picture), None, "{resolution} {picture:?}");
        }
    }
}
