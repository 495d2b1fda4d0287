//! One client on standard input and output, a JSON-RPC message a line.
//!
//! The framing is ours: a line that is no message is answered and the next one is served, where
//! the SDK's own transport would drop it and leave the client waiting.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServerHandler};
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, mpsc};
use tokio_util::sync::CancellationToken;

use super::lifecycle;
use super::lines::{Line, Lines};
use super::message::{self, Incoming};

/// The longest message read, in bytes. A backup that is to be restored travels in one.
pub const MAX_MESSAGE_BYTES: usize = 16 * 1024 * 1024;

/// How long calls in flight may go on after the client has closed its end.
const GRACE: Duration = Duration::from_millis(1500);

/// How long the last answers may take to be written.
const LAST_WRITES: Duration = Duration::from_millis(500);

/// Messages waiting to be written, at most.
const QUEUE: usize = 64;

/// Serves `handler` on the process's standard input and output until the client closes its end
/// or `stop` is cancelled.
///
/// # Errors
/// What writing reports.
pub async fn serve<H: ServerHandler>(handler: H, stop: CancellationToken) -> io::Result<()> {
    let (reader, writer) = rmcp::transport::io::stdio_pipes();
    serve_on(handler, reader, writer, stop).await
}

/// Serves `handler` on any pair of streams.
///
/// # Errors
/// What writing reports.
pub async fn serve_on<H, R, W>(handler: H, reader: R, writer: W, stop: CancellationToken) -> io::Result<()>
where
    H: ServerHandler,
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let session = stop.child_token();
    let (queue, queued) = mpsc::channel(QUEUE);
    let mut writing = tokio::spawn(write_lines(writer, queued, session.clone()));
    let connection = Connection {
        input: Arc::new(Mutex::new(Input {
            lines: Lines::new(reader, MAX_MESSAGE_BYTES),
            rejections: VecDeque::new(),
        })),
        queue,
        ended: CancellationToken::new(),
    };
    let closing = tokio::spawn(close_after_grace(connection.ended.clone(), session.clone()));

    lifecycle::run(Arc::new(handler), connection.clone(), &session).await;

    closing.abort();
    drop(connection);
    match tokio::time::timeout(LAST_WRITES, &mut writing).await {
        Ok(Ok(written)) => written,
        Ok(Err(error)) => Err(io::Error::other(error)),
        Err(_) => {
            writing.abort();
            Ok(())
        }
    }
}

/// Ends the session some time after its input has ended.
async fn close_after_grace(ended: CancellationToken, session: CancellationToken) {
    ended.cancelled().await;
    tokio::time::sleep(GRACE).await;
    session.cancel();
}

/// Writes what is queued, a line each, until nobody can queue any more.
///
/// A client that has stopped listening ends the session; that is no error of the server's.
async fn write_lines<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queued: mpsc::Receiver<Vec<u8>>,
    session: CancellationToken,
) -> io::Result<()> {
    let written = async {
        while let Some(line) = queued.recv().await {
            writer.write_all(&line).await?;
            while let Ok(line) = queued.try_recv() {
                writer.write_all(&line).await?;
            }
            writer.flush().await?;
        }
        writer.flush().await
    }
    .await;
    session.cancel();
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The two ends of the streams, as the SDK's service uses them.
struct Connection<R> {
    input: Arc<Mutex<Input<R>>>,
    queue: mpsc::Sender<Vec<u8>>,
    /// Cancelled when the input has ended.
    ended: CancellationToken,
}

impl<R> Clone for Connection<R> {
    fn clone(&self) -> Self {
        Connection { input: Arc::clone(&self.input), queue: self.queue.clone(), ended: self.ended.clone() }
    }
}

struct Input<R> {
    lines: Lines<R>,
    /// Answers to lines that were no message, not queued yet.
    rejections: VecDeque<Vec<u8>>,
}

impl<R> Transport<RoleServer> for Connection<R>
where
    R: AsyncRead + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let queue = self.queue.clone();
        async move { queue.send(line(&message)?).await.map_err(io::Error::other) }
    }

    /// The next message. Every await in here may be given up without losing anything.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let mut input = self.input.lock().await;
        loop {
            while !input.rejections.is_empty() {
                let place = self.queue.reserve().await.ok()?;
                if let Some(rejection) = input.rejections.pop_front() {
                    place.send(rejection);
                }
            }
            let incoming = match input.lines.next().await {
                Ok(Some(Line::Whole(line))) => message::read(&line),
                Ok(Some(Line::TooLong { head })) => message::too_long(&head, MAX_MESSAGE_BYTES),
                Ok(None) => {
                    self.ended.cancel();
                    return None;
                }
                Err(error) => {
                    tracing::error!(%error, "standard input cannot be read");
                    self.ended.cancel();
                    return None;
                }
            };
            match incoming {
                Incoming::Message(message) => return Some(*message),
                Incoming::Nothing => {}
                Incoming::Rejected(answer) => {
                    let message = answer.pointer("/error/message").map(ToString::to_string);
                    tracing::warn!(message, "a line was no message");
                    input.rejections.extend(line(&answer).ok());
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn line(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}
