//! From spawning a process to its answer to `initialize`, and the memory it takes then.

use crate::figures::{Figure, Goal, median, megabytes, milliseconds};
use crate::process::{Program, Result, Server, built};

/// How often each is started; one after the other in turn, so that both meet the same machine.
const ROUNDS: usize = 61;

/// Beside the smallest server.
///
/// # Errors
/// When one of them does not start.
pub fn figures() -> Result<Vec<Figure>> {
    let smallest = Program { file: built("smallest")?, arguments: Vec::new(), variables: Vec::new() };
    // Nothing is asked of Sonarr, so none has to be there.
    let ours = Program::ours("http://127.0.0.1:9", "0123456789abcdef")?;
    let (mut times, mut least) = (Vec::new(), Vec::new());
    let (mut memory, mut least_memory) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for (program, times, memory) in [(&smallest, &mut least, &mut least_memory), (&ours, &mut times, &mut memory)] {
            let server = Server::start(program)?;
            times.push(milliseconds(server.took));
            memory.push(megabytes(server.memory()?.now));
        }
    }
    let beside = "the smallest server on the SDK".to_owned();
    Ok(vec![
        Figure {
            what: "spawn → `initialize`, median".to_owned(),
            unit: "ms",
            ours: median(&times),
            beside: beside.clone(),
            theirs: median(&least),
            goal: Some(Goal::AtMost(2.0)),
        },
        Figure {
            what: "memory after `initialize`".to_owned(),
            unit: "MB",
            ours: median(&memory),
            beside,
            theirs: median(&least_memory),
            goal: None,
        },
    ])
}
