//! Reads the `BATON_OUTPUT` file of an attempt that has ended.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use baton_agents::plain_text::strip_terminal_codes;
use baton_keeper::session_file;
use baton_model::artifact::{NamedOutputs, READ_LIMIT};

use crate::session_folder::OUTPUT_FILE;

/// How many bytes after the read part are searched for names. The file may be as large as the disk.
const NAMES_LIMIT: u64 = 64 * 1024 * 1024;
/// The maximum number of bytes of a line that a name may take, including invisible characters.
const NAME_BYTES: u64 = 256;
/// The maximum number of names that are recorded.
const NAMES: usize = 1000;

/// The named values that the session in `folder` wrote.
pub(crate) fn outputs_of(folder: &Path) -> NamedOutputs {
    // A file that cannot be read means no output; the node's work still counts. Anything but a
    // regular file fails the node: see `outcome_of`.
    session_file::open(&folder.join(OUTPUT_FILE))
        .and_then(read)
        .unwrap_or_default()
}

fn read(mut file: File) -> io::Result<NamedOutputs> {
    let mut head = Vec::new();
    file.by_ref()
        .take(READ_LIMIT as u64)
        .read_to_end(&mut head)?;
    let mut rest = BufReader::new(file.take(NAMES_LIMIT));
    let is_cut = !rest.fill_buf()?.is_empty();
    let mut outputs = NamedOutputs::parse(&strip_terminal_codes(&head), is_cut);
    if is_cut {
        let line = head
            .rsplit(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        record_names(line, &mut rest, &mut outputs)?;
    }
    Ok(outputs)
}

/// Records the names of the lines in `rest`, the first of which began with `begun`.
fn record_names(
    begun: &[u8],
    rest: &mut impl io::BufRead,
    outputs: &mut NamedOutputs,
) -> io::Result<()> {
    // A line whose name was read has a value that says it was truncated.
    if begun.contains(&b'=') {
        rest.skip_until(b'\n')?;
    }
    let mut line = if begun.contains(&b'=') {
        Vec::new()
    } else {
        begun.to_vec()
    };
    while outputs.left_out.len() < NAMES && !rest.fill_buf()?.is_empty() {
        rest.by_ref()
            .take(NAME_BYTES)
            .read_until(b'\n', &mut line)?;
        if let Some(end) = line.iter().position(|&byte| byte == b'=') {
            outputs.omit(&strip_terminal_codes(&line[..end]));
        }
        if line.last() != Some(&b'\n') {
            rest.skip_until(b'\n')?;
        }
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_outputs(text: &[u8]) -> NamedOutputs {
        let folder = tempfile::tempdir().expect("temp dir");
        std::fs::write(folder.path().join(OUTPUT_FILE), text).expect("write file");
        outputs_of(folder.path())
    }

    /// `before`, noise up to `READ_LIMIT` less `left` bytes, and `after`.
    fn long(before: &str, left: usize, after: &str) -> Vec<u8> {
        let noise = READ_LIMIT - left - before.len() - 1;
        [
            before.as_bytes(),
            "x".repeat(noise).as_bytes(),
            b"\n",
            after.as_bytes(),
        ]
        .concat()
    }

    #[test]
    fn output_names_beyond_one_mebibyte_are_recorded() {
        for left in 0..9 {
            let outputs = parse_outputs(&long(
                "first=1\nlate=old\n",
                left,
                "late=2\nnoise\n\x1b[1mlast=3",
            ));
            assert_eq!(outputs.values["first"], "1");
            assert!(
                outputs.left_out.contains(&"last".to_owned()),
                "{left}: {outputs:?}"
            );
            let is_whole = left >= "late=2\n".len();
            let is_noted = outputs.left_out.contains(&"late".to_owned());
            match outputs.values.get("late") {
                Some(value) if is_whole => assert_eq!((value.as_str(), is_noted), ("2", false)),
                Some(value) => assert!(
                    value.contains("Truncated by Baton") && !is_noted,
                    "{left}: {value}"
                ),
                None => assert!(is_noted, "{left}: {outputs:?}"),
            }
        }
    }

    #[test]
    fn file_of_exactly_the_limit_is_read() {
        let outputs = parse_outputs(&long("first=1\n", 7, "last=22"));
        assert_eq!(
            (outputs.values["last"].as_str(), outputs.left_out.len()),
            ("22", 0)
        );
    }

    #[test]
    fn long_lines_and_many_names_use_bounded_memory() {
        let many: String = (0..3 * NAMES)
            .map(|number| format!("n{number}=1\n"))
            .collect();
        let outputs = parse_outputs(&long("", 0, &format!("{}\n{many}", "y".repeat(3_000_000))));
        assert_eq!(outputs.left_out.len(), NAMES);
    }
}
