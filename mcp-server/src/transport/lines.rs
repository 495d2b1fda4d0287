//! Lines of a bounded length from a stream of bytes.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// How much of a line that is too long is kept, to find out whom to answer.
const KEPT: usize = 64 * 1024;

/// One line, without its newline.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line within the limit.
    Whole(Vec<u8>),
    /// The beginning of a line beyond the limit; the rest has been read and dropped.
    TooLong {
        /// The first bytes of the line.
        head: Vec<u8>,
    },
}

/// Reads lines, and never holds more than the limit.
pub struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    too_long: bool,
    limit: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines of at most `limit` bytes.
    pub fn new(reader: R, limit: usize) -> Self {
        Lines { reader: BufReader::new(reader), line: Vec::new(), too_long: false, limit }
    }

    /// The next line; `None` at the end of the stream. A last line needs no newline.
    ///
    /// Dropping the future loses nothing: what was read of a line stays for the next call.
    ///
    /// # Errors
    /// What the stream reports.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                let unfinished = self.too_long || !self.line.is_empty();
                return Ok(unfinished.then(|| self.take()));
            }
            let (part, end) = match available.iter().position(|byte| *byte == b'\n') {
                Some(newline) => (available.get(..newline).unwrap_or_default(), true),
                None => (available, false),
            };
            let used = part.len() + usize::from(end);
            if !self.too_long {
                if self.line.len() + part.len() > self.limit {
                    self.too_long = true;
                    self.line.extend_from_slice(part);
                    self.line.truncate(KEPT);
                    self.line.shrink_to_fit();
                } else {
                    self.line.extend_from_slice(part);
                }
            }
            self.reader.consume(used);
            if end {
                return Ok(Some(self.take()));
            }
        }
    }

    fn take(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) { Line::TooLong { head: line } } else { Line::Whole(line) }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT, Line, Lines};

    async fn lines(bytes: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(bytes, limit);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            all.push(line);
        }
        all
    }

    #[tokio::test]
    async fn lines_end_at_a_newline_or_at_the_end() {
        assert_eq!(
            lines(b"one\n\ntwo\r\nlast", 10).await,
            [
                Line::Whole(b"one".to_vec()),
                Line::Whole(Vec::new()),
                Line::Whole(b"two\r".to_vec()),
                Line::Whole(b"last".to_vec()),
            ]
        );
    }

    #[tokio::test]
    async fn a_line_beyond_the_limit_is_one_line_with_a_head() {
        let mut bytes = vec![b'x'; 200_000];
        bytes.extend_from_slice(b"\nnext\n");
        bytes.extend_from_slice(&[b'y'; 150_000]);
        let lines = lines(&bytes, 100_000).await;
        let [Line::TooLong { head }, Line::Whole(next), Line::TooLong { .. }] = lines.as_slice() else {
            panic!("three lines are due, got {}", lines.len());
        };
        assert_eq!(head.len(), KEPT);
        assert_eq!(next, b"next");
    }

    #[tokio::test]
    async fn a_dropped_read_loses_nothing() {
        use tokio::io::AsyncWriteExt;
        let (mut writer, reader) = tokio::io::duplex(64);
        let mut lines = Lines::new(reader, 100);
        writer.write_all(b"first ").await.unwrap();
        for _ in 0..3 {
            let read = tokio::time::timeout(std::time::Duration::from_millis(5), lines.next());
            assert!(read.await.is_err(), "there is no whole line yet");
        }
        writer.write_all(b"half\n").await.unwrap();
        assert_eq!(lines.next().await.unwrap(), Some(Line::Whole(b"first half".to_vec())));
    }
}
