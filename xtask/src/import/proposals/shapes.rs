//! What kind of place an operation has.

/// A method and a path, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape<'a> {
    pub method: &'a str,
    /// The literal segments that name the resource.
    pub resource: Vec<&'a str>,
    pub suffix: Suffix<'a>,
}

/// What stands behind the resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suffix<'a> {
    None,
    /// `/{id}`, or another name for one record.
    Id,
    Schema,
    /// `/bulk` and `/editor`: several records at once.
    Bulk,
    Test,
    TestAll,
    /// `/action/{name}`.
    Action,
    /// `POST /release/push`.
    Verb(&'a str),
    /// `POST /queue/grab/{id}`.
    VerbId(&'a str),
    /// `POST /queue/grab/bulk`.
    VerbBulk(&'a str),
}

impl Suffix<'_> {
    /// Whether both are of one kind; the words may differ.
    pub fn alike(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl<'a> Shape<'a> {
    /// Reads `GET /api/v3/tag/{id}`.
    pub fn of(at: &'a str) -> Self {
        let (method, path) = at.split_once(' ').unwrap_or(("", at));
        let path = path.strip_prefix("/api/v3").or_else(|| path.strip_prefix("/feed/v3")).unwrap_or(path);
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let is_parameter = |segment: &str| segment.starts_with('{');
        let literals = || segments.iter().copied().filter(|segment| !is_parameter(segment));
        let (resource, suffix): (Vec<&str>, _) = match *segments.as_slice() {
            [.., "action", last] if is_parameter(last) => {
                (literals().filter(|it| *it != "action").collect(), Suffix::Action)
            }
            [.., "update"] if method == "PUT" => (without_last(&segments, 1), Suffix::Bulk),
            [.., "schema"] => (without_last(&segments, 1), Suffix::Schema),
            [.., "test"] => (without_last(&segments, 1), Suffix::Test),
            [.., "testall"] => (without_last(&segments, 1), Suffix::TestAll),
            [_, .., verb, "bulk"] if method == "POST" => (without_last(&segments, 2), Suffix::VerbBulk(verb)),
            [.., "bulk" | "editor"] => (without_last(&segments, 1), Suffix::Bulk),
            [_, .., verb, last]
                if method != "GET"
                    && method != "DELETE"
                    && is_parameter(last)
                    && segments.len() > 2
                    && segments.first() != Some(&"config") =>
            {
                (without_last(&segments, 2), Suffix::VerbId(verb))
            }
            [.., last] if is_parameter(last) => (literals().collect(), Suffix::Id),
            [_, .., verb] if method != "GET" && !is_parameter(verb) => (without_last(&segments, 1), Suffix::Verb(verb)),
            _ => (literals().collect(), Suffix::None),
        };
        Self { method, resource, suffix }
    }

    /// Whether the place is that of one record.
    pub fn ends_in_id(&self) -> bool {
        matches!(self.suffix, Suffix::Id | Suffix::VerbId(_))
    }
}

/// The literal segments but for the last few segments.
fn without_last<'a>(segments: &[&'a str], count: usize) -> Vec<&'a str> {
    let kept = segments.len().saturating_sub(count);
    segments.iter().take(kept).copied().filter(|segment| !segment.starts_with('{')).collect()
}
