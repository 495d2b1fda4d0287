//! A Sonarr of one answer: the bytes of a file, whatever it is asked. So the time of making them is left out.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;

use crate::process::{Result, during};

/// Serves the file until the process is ended.
///
/// # Errors
/// When the file cannot be read, or no port can be had.
pub fn serve(file: &Path) -> Result<()> {
    let bytes: Arc<[u8]> = std::fs::read(file).map_err(during(&file.display().to_string()))?.into();
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(during("a port"))?;
    let address = listener.local_addr().map_err(during("a port"))?;
    let mut output = std::io::stderr();
    writeln!(output, "Replaying at http://{address} with the API key 0123456789abcdef").map_err(during("stderr"))?;
    for connection in listener.incoming().flatten() {
        let bytes = Arc::clone(&bytes);
        std::thread::spawn(move || {
            // A client that leaves is none of its business.
            let _ = answer(connection, &bytes);
        });
    }
    Ok(())
}

fn answer(connection: TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    connection.set_nodelay(true)?;
    let mut writer = connection.try_clone()?;
    let mut lines = BufReader::new(connection).lines();
    loop {
        // No request has a body, so an empty line ends it.
        loop {
            match lines.next().transpose()? {
                None => return Ok(()),
                Some(line) if line.is_empty() => break,
                Some(_) => {}
            }
        }
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: {}\r\n\r\n",
            bytes.len()
        );
        writer.write_all(head.as_bytes())?;
        writer.write_all(bytes)?;
    }
}
