//! The changed lines of files, from the content that git stores. What is too long is said to be
//! instead of being shown.

use std::collections::{BTreeMap, BTreeSet};

use baton_agents::file_hunks;

use super::difference::{ContentDelta, FileVersion};
use super::node_diff::FileDiffContent;
use super::{CheckoutError, Repository};

/// The maximum length of each version of a file, in bytes.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// The maximum length of all loaded versions together, in bytes.
const MAX_TOTAL_BYTES: u64 = 8 * 1024 * 1024;
/// The maximum number of changed lines of a file that existed before and after. The time for
/// comparing grows with it.
const MAX_CHANGED_LINES: u32 = 10_000;

/// Compares the versions of `files`, in their order.
pub(super) fn compare_contents(
    repository: &Repository,
    files: &[ContentDelta],
) -> Result<Vec<FileDiffContent>, CheckoutError> {
    let texts = files.iter().filter(|file| file.delta.lines.is_some());
    let objects = texts.flat_map(|file| [&file.before, &file.after]);
    let sizes = sizes(
        repository,
        objects.filter_map(FileVersion::object).collect(),
    )?;
    let mut total = 0;
    let plans: Vec<Option<FileDiffContent>> = files
        .iter()
        .map(|file| reason_to_omit(file, &sizes, &mut total))
        .collect();
    let wanted = files.iter().zip(&plans).filter(|(_, plan)| plan.is_none());
    let wanted = wanted.flat_map(|(file, _)| [&file.before, &file.after]);
    let blobs = blobs(repository, wanted.filter_map(FileVersion::object).collect())?;
    let text = |version: &FileVersion| version.object().and_then(|object| blobs.get(object));
    let content = |file: &ContentDelta| {
        let [before, after] = [&file.before, &file.after].map(|version| {
            String::from_utf8_lossy(text(version).map_or(&[][..], Vec::as_slice)).into_owned()
        });
        FileDiffContent::Hunks(file_hunks(&before, &after))
    };
    let contents = files.iter().zip(plans);
    Ok(contents
        .map(|(file, plan)| plan.unwrap_or_else(|| content(file)))
        .collect())
}

/// Why the content of `file` isn't loaded; `None` if it is. Adds its length to `total` then.
fn reason_to_omit(
    file: &ContentDelta,
    sizes: &BTreeMap<String, Option<u64>>,
    total: &mut u64,
) -> Option<FileDiffContent> {
    let (added, removed) = match file.delta.lines {
        None => return Some(FileDiffContent::Binary),
        Some(lines) => lines,
    };
    let mut lengths = [0, 0];
    let versions = [&file.before, &file.after];
    for (length, object) in lengths.iter_mut().zip(versions.map(FileVersion::object)) {
        match object.and_then(|object| sizes.get(object)) {
            Some(None) => return Some(FileDiffContent::Missing),
            Some(Some(size)) => *length = *size,
            None => {}
        }
    }
    let larger = lengths[0].max(lengths[1]);
    let is_compared = lengths.iter().all(|length| *length > 0);
    if larger > MAX_FILE_BYTES || (is_compared && added + removed > MAX_CHANGED_LINES) {
        return Some(FileDiffContent::TooLarge(larger));
    }
    if *total + lengths[0] + lengths[1] > MAX_TOTAL_BYTES {
        return Some(FileDiffContent::NotLoaded);
    }
    *total += lengths[0] + lengths[1];
    None
}

/// The lengths of git objects; `None` for those that the repository doesn't have.
fn sizes(
    repository: &Repository,
    objects: BTreeSet<&str>,
) -> Result<BTreeMap<String, Option<u64>>, CheckoutError> {
    let output = batch(
        repository,
        "--batch-check=%(objectname) %(objectsize)",
        objects,
    )?;
    let output = String::from_utf8_lossy(&output);
    let entries = output.lines().filter_map(|line| line.split_once(' '));
    Ok(entries
        .map(|(object, size)| (object.to_owned(), size.parse().ok()))
        .collect())
}

/// The content of git objects.
fn blobs(
    repository: &Repository,
    objects: BTreeSet<&str>,
) -> Result<BTreeMap<String, Vec<u8>>, CheckoutError> {
    let output = batch(repository, "--batch=%(objectname) %(objectsize)", objects)?;
    Ok(split_blobs(&output))
}

/// Splits what `cat-file --batch` printed: for each object a line with its name and its length, its
/// content, and a line break.
fn split_blobs(mut rest: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut blobs = BTreeMap::new();
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let head = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 1..];
        let Some((object, size)) = head.split_once(' ') else {
            break;
        };
        // A missing object has no content.
        let Ok(size) = size.parse::<usize>() else {
            continue;
        };
        let Some((content, after)) = rest.split_at_checked(size) else {
            break;
        };
        blobs.insert(object.to_owned(), content.to_vec());
        rest = after.strip_prefix(b"\n").unwrap_or(after);
    }
    blobs
}

fn batch(
    repository: &Repository,
    format: &str,
    objects: BTreeSet<&str>,
) -> Result<Vec<u8>, CheckoutError> {
    if objects.is_empty() {
        return Ok(Vec::new());
    }
    let input: String = objects
        .into_iter()
        .flat_map(|object| [object, "\n"])
        .collect();
    let output = repository
        .git()
        .run_with_input(&["cat-file", format], input.into_bytes())?;
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_are_split_by_their_length() {
        let output = b"aa 4\n1\n2\n\nbb missing\ncc 0\n\ndd 3\n\xff\n\n\n";
        let blobs = split_blobs(output);
        let expected: [(&str, &[u8]); 3] = [("aa", b"1\n2\n"), ("cc", b""), ("dd", b"\xff\n\n")];
        let expected = expected.map(|(object, content)| (object.to_owned(), content.to_vec()));
        assert_eq!(blobs, BTreeMap::from(expected));
        assert!(split_blobs(b"aa 9\nshort").is_empty(), "a cut output");
    }
}
