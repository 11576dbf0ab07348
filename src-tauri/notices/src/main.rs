//! `baton-notices LIST OUTPUT`: writes the third-party notices. `LIST` is the list of npm packages
//! that Vite wrote.
#![expect(clippy::print_stderr, reason = "a program for people at a terminal")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use baton_notices::{NoticesError, notices};

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let (Some(list), Some(output), None) = (arguments.next(), arguments.next(), arguments.next())
    else {
        eprintln!("Usage: baton-notices LIST OUTPUT");
        return ExitCode::from(2);
    };
    match write(&list, &output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("baton-notices: {error}");
            let mut reason = error.source();
            while let Some(one) = reason {
                eprintln!("  caused by: {one}");
                reason = one.source();
            }
            ExitCode::FAILURE
        }
    }
}

fn write(list: &Path, output: &Path) -> Result<(), NoticesError> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = notices(&root, list)?;
    fs::write(output, text).map_err(|source| NoticesError::File {
        path: output.to_owned(),
        source,
    })
}
