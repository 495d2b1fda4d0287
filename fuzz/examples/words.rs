//! Makes what a fuzzer of a target begins with: `cargo run -p sonarr-fuzz --example words -- stdio FOLDER`
//! writes its words to `FOLDER/words` and an input for each operation to `FOLDER/inputs`.

use std::io::Error;
use std::path::PathBuf;

use sonarr_fuzz::{TARGETS, inputs, words};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let (Some(target), Some(folder)) = (arguments.next(), arguments.next().map(PathBuf::from)) else {
        return Err(Error::other("expected a target and a folder"));
    };
    if !TARGETS.iter().any(|one| one.name == target) {
        let names: Vec<&str> = TARGETS.iter().map(|one| one.name).collect();
        return Err(Error::other(format!("there is no target {target}: expected one of {}", names.join(", "))));
    }
    std::fs::create_dir_all(folder.join("inputs"))?;
    std::fs::write(folder.join("words"), words::of(&target))?;
    for (name, input) in inputs::of(&target) {
        std::fs::write(folder.join("inputs").join(name), input)?;
    }
    Ok(())
}
