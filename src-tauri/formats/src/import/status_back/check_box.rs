//! The mark of a check box in a line.

use crate::import::markdown;

/// The line with its box ticked; `None` if it has no box.
pub(super) fn done(line: &str) -> Option<String> {
    let found = markdown::checkbox(line.trim_end_matches(['\n', '\r']))?;
    // The box is the first bracket: only white space and the mark of the list come before it.
    let open = line.find('[')? + 1;
    let close = open + line.get(open..)?.find(']')?;
    let is_mark = line[open..close].chars().eq([found.mark]) || found.mark == ']';
    is_mark.then(|| format!("{}x{}", &line[..open], &line[close..]))
}

#[cfg(test)]
mod tests {
    use super::done;

    #[test]
    fn only_the_mark_changes() {
        for (line, after) in [
            ("- [ ] T001 a [x] b\n", "- [x] T001 a [x] b\n"),
            ("\t*   [ ] a  \r\n", "\t*   [x] a  \r\n"),
            ("- [-] a", "- [x] a"),
            ("- [] a\n", "- [x] a\n"),
            ("- [ ]* 1.2 optional\n", "- [x]* 1.2 optional\n"),
        ] {
            assert_eq!(done(line).as_deref(), Some(after), "{line:?}");
        }
        for line in ["- a [ ] b\n", "- [a](b)\n", "# [ ] a\n", ""] {
            assert_eq!(done(line), None, "{line:?}");
        }
    }
}
