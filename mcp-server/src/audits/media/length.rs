//! How long a file runs, against how long its episodes do.

/// A file, as far as its length matters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    /// How long it runs.
    pub seconds: u32,
    /// How long its episodes run together, by TheTVDB; 0 when that of one of them is unknown.
    pub expected: u32,
}

impl Length {
    /// The length as a share of what is expected.
    fn share(self) -> Option<f64> {
        (self.seconds > 0 && self.expected > 0).then(|| f64::from(self.seconds) / f64::from(self.expected))
    }
}

/// How many other files a series must have before one of them can be odd.
const OTHERS: usize = 3;
/// Below this share of the usual length an episode is not whole.
pub const SHORT: f64 = 0.5;
/// Above this share a file is more than its episodes: a double episode that counts as one has twice the length.
pub const LONG: f64 = 2.5;

/// Which of a series' files certainly run too short or too long.
///
/// TheTVDB's running times are often those of the slot, advertisements included, or wrong for a whole series. So a file
/// is odd only where it is that against its episodes' running time, and against how the other files of the series keep
/// to theirs.
pub fn odd(files: &[Length]) -> Vec<bool> {
    let shares: Vec<Option<f64>> = files.iter().map(|file| file.share()).collect();
    let mut known: Vec<f64> = shares.iter().copied().flatten().collect();
    known.sort_by(f64::total_cmp);
    let usual = known.get(known.len() / 2).copied().filter(|_| known.len() > OTHERS);
    let is_off = |share: f64| !(SHORT..=LONG).contains(&share);
    let is_odd = |share: f64| usual.is_some_and(|usual| !is_off(usual) && is_off(share) && is_off(share / usual));
    shares.into_iter().map(|share| share.is_some_and(is_odd)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(files: &[(u32, u32)]) -> Vec<bool> {
        let minutes = |(is, expected): &(u32, u32)| Length { seconds: is * 60, expected: expected * 60 };
        odd(&files.iter().map(minutes).collect::<Vec<_>>())
    }

    #[test]
    fn a_stump_and_a_whole_season_are_odd() {
        assert_eq!(told(&[(42, 45), (43, 45), (41, 45), (44, 45), (12, 45)]), [false, false, false, false, true]);
        assert_eq!(told(&[(42, 45), (43, 45), (41, 45), (44, 45), (210, 45)]), [false, false, false, false, true]);
        // Two episodes in one file, of which a third is there.
        assert_eq!(told(&[(42, 45), (43, 45), (41, 45), (30, 90)]), [false, false, false, true]);
    }

    #[test]
    fn what_may_be_right_is_not_odd() {
        for files in [
            // Half an hour's slot, advertisements cut out; a double first episode that counts as one.
            &[(21, 30), (22, 30), (21, 30), (44, 30)][..],
            // The running time of the series is wrong.
            &[(11, 30), (12, 30), (11, 30), (11, 30)],
            &[(11, 30), (12, 30), (11, 30), (4, 30)],
            // Nothing to compare with.
            &[(12, 45)],
            &[(42, 45), (43, 45), (12, 45)],
            // Unknown.
            &[(42, 45), (43, 45), (41, 45), (12, 0), (0, 45)],
            // Two episodes in one file.
            &[(42, 45), (43, 45), (41, 45), (88, 90)],
        ] {
            assert_eq!(told(files), vec![false; files.len()], "{files:?}");
        }
    }
}
