//! What stands between the server and its Sonarr, and counts bytes.

use std::io::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// A way to a Sonarr on which all that comes from it is counted.
pub struct Proxy {
    /// Where it listens.
    pub url: String,
    bytes: Arc<AtomicU64>,
}

impl Proxy {
    /// Listens for `target`, such as `http://127.0.0.1:4000`.
    pub async fn start(target: &str) -> Result<Self> {
        let address = target.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let bytes = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&bytes);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(&address).await else { continue };
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(copy(from_client, to_server, Arc::default()));
                tokio::spawn(copy(from_server, to_client, Arc::clone(&counter)));
            }
        });
        Ok(Proxy { url, bytes })
    }

    /// The bytes since the last look.
    pub fn take(&self) -> u64 {
        self.bytes.swap(0, Ordering::Relaxed)
    }
}

async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, counter: Arc<AtomicU64>) -> Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = from.read(&mut buffer).await?;
        let Some(part) = buffer.get(..read).filter(|part| !part.is_empty()) else {
            return to.shutdown().await;
        };
        counter.fetch_add(read as u64, Ordering::Relaxed);
        to.write_all(part).await?;
    }
}
