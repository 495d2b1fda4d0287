//! The program `cargo xtask`; all of it is in the library, where the fuzz targets reach it, too.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main()
}
