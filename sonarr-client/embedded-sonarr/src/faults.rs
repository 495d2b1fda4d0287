//! Faults on request: what goes wrong between a server and its client.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The right answer, after a wait.
    Latency(Duration),
    /// The right answer, its body in small pieces with this wait between them.
    SlowBody(Duration),
    /// The right status and headers, half of the body, then the connection breaks.
    Reset,
    /// The right status and half of the JSON, as if it were all.
    TruncatedJson,
    /// 200 with a page of HTML, as a proxy in between sends it.
    HtmlPage,
    /// 302 to `/login`, as the web UI does it.
    LoginRedirect,
    /// 500 with `{message, description}`, the description holding a stack trace.
    ServerError,
    /// 503 with `{errorMessage}`, as a server that is starting up.
    Starting,
    /// 503 as [`FaultKind::Starting`], for this long from the injection on the server's clock; `/ping` included, count,
    /// path and method ignored.
    StartingFor(Duration),
    /// 200 with a JSON array of about this many bytes.
    HugeAnswer(usize),
    /// 200 with no body at all.
    EmptyAnswer,
}

/// A fault, how often it strikes, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What goes wrong.
    pub kind: FaultKind,
    /// How many requests it strikes; `None`: all of them until [`clear_faults`](crate::EmbeddedSonarr::clear_faults).
    pub count: Option<usize>,
    /// Strikes only paths that contain this text (case ignored, URL base left out).
    pub path: Option<String>,
    /// Strikes only this HTTP method.
    pub method: Option<String>,
}

impl Fault {
    /// A fault that strikes every request.
    pub fn new(kind: FaultKind) -> Fault {
        Fault { kind, count: None, path: None, method: None }
    }

    /// Strikes `count` requests, then no more.
    pub fn times(mut self, count: usize) -> Fault {
        self.count = Some(count);
        self
    }

    /// Strikes only paths that contain `path`.
    pub fn on_path(mut self, path: impl Into<String>) -> Fault {
        self.path = Some(path.into());
        self
    }

    /// Strikes only requests with this method.
    pub fn on_method(mut self, method: impl Into<String>) -> Fault {
        self.method = Some(method.into().to_ascii_uppercase());
        self
    }

    fn strikes(&self, method: &str, path: &str) -> bool {
        self.count != Some(0)
            && self.method.as_deref().is_none_or(|wanted| wanted == method)
            && self.path.as_deref().is_none_or(|part| path.to_ascii_lowercase().contains(&part.to_ascii_lowercase()))
    }
}

/// A text that names no fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFault(String);

impl fmt::Display for UnknownFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no fault: use latency=TIME, slow-body=TIME, reset, truncated, html, login, 500, starting, starting=TIME, \
             huge=BYTES or empty, then optionally `*COUNT` and `@PATH` (TIME such as 250ms or 2s)",
            self.0
        )
    }
}

impl std::error::Error for UnknownFault {}

impl FromStr for Fault {
    type Err = UnknownFault;

    /// Reads a fault from a flag's text: `KIND[*COUNT][@PATH]`, such as `latency=2s`, `reset*3` or `html@/series`.
    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let unknown = || UnknownFault(text.to_owned());
        let (rest, path) = match text.split_once('@') {
            Some((rest, path)) => (rest, Some(path.to_owned())),
            None => (text, None),
        };
        let (kind, count) = match rest.split_once('*') {
            Some((kind, count)) => (kind, Some(count.parse().map_err(|_| unknown())?)),
            None => (rest, None),
        };
        let (name, argument) = match kind.split_once('=') {
            Some((name, argument)) => (name, Some(argument)),
            None => (kind, None),
        };
        let time = || argument.and_then(read_time).ok_or_else(unknown);
        let kind = match name {
            "latency" => FaultKind::Latency(time()?),
            "slow-body" => FaultKind::SlowBody(time()?),
            "reset" => FaultKind::Reset,
            "truncated" => FaultKind::TruncatedJson,
            "html" => FaultKind::HtmlPage,
            "login" => FaultKind::LoginRedirect,
            "500" => FaultKind::ServerError,
            "starting" | "503" if argument.is_some() => FaultKind::StartingFor(time()?),
            "starting" | "503" => FaultKind::Starting,
            "huge" => {
                let bytes = argument.unwrap_or("30000000").parse().map_err(|_| unknown())?;
                FaultKind::HugeAnswer(bytes)
            }
            "empty" => FaultKind::EmptyAnswer,
            _ => return Err(unknown()),
        };
        Ok(Fault { kind, count, path, method: None })
    }
}

fn read_time(text: &str) -> Option<Duration> {
    if let Some(millis) = text.strip_suffix("ms") {
        return millis.parse().ok().map(Duration::from_millis);
    }
    let seconds: f64 = text.strip_suffix('s').unwrap_or(text).parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The faults that are waiting.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn add(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The first fault that strikes this request; its count goes down.
    pub(crate) fn take(&mut self, method: &str, path: &str) -> Option<FaultKind> {
        let index = self.0.iter().position(|fault| fault.strikes(method, path))?;
        let fault = self.0.get_mut(index)?;
        let kind = fault.kind.clone();
        if let Some(count) = fault.count.as_mut() {
            *count -= 1;
            if *count == 0 {
                self.0.remove(index);
            }
        }
        Some(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counted_fault_wears_off() {
        let mut faults = Faults::default();
        faults.add(Fault::new(FaultKind::Reset).times(2).on_path("/series").on_method("get"));
        assert_eq!(faults.take("GET", "/api/v3/tag"), None);
        assert_eq!(faults.take("POST", "/api/v3/series"), None);
        assert_eq!(faults.take("GET", "/api/v3/Series"), Some(FaultKind::Reset));
        assert_eq!(faults.take("GET", "/api/v3/series/4"), Some(FaultKind::Reset));
        assert_eq!(faults.take("GET", "/api/v3/series"), None);
    }

    #[test]
    fn faults_are_read_from_flags() {
        let read = |text: &str| text.parse::<Fault>();
        assert_eq!(read("latency=250ms"), Ok(Fault::new(FaultKind::Latency(Duration::from_millis(250)))));
        assert_eq!(
            read("slow-body=1.5s*2@/series"),
            Ok(Fault::new(FaultKind::SlowBody(Duration::from_millis(1500))).times(2).on_path("/series"))
        );
        assert_eq!(read("huge"), Ok(Fault::new(FaultKind::HugeAnswer(30_000_000))));
        assert_eq!(read("starting=10s"), Ok(Fault::new(FaultKind::StartingFor(Duration::from_secs(10)))));
        for wrong in ["", "latency", "latency=x", "reset*x", "nothing"] {
            let told = read(wrong).unwrap_err().to_string();
            assert!(told.contains("is no fault"), "{told}");
        }
    }
}
