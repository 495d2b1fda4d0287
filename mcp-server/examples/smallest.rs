//! The smallest server that the SDK allows: it shakes hands and has nothing to offer. What it takes to start is what
//! any server on the SDK takes at least.

use rmcp::{ServerHandler, ServiceExt};

struct Smallest;

impl ServerHandler for Smallest {}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Smallest.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
