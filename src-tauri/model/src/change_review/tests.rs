use super::*;

fn range(first: u32, last: u32) -> LineRange {
    LineRange { first, last }
}

fn comment(path: &str, lines: &[&str], text: &str) -> LineComment {
    LineComment {
        path: path.to_owned(),
        new: Some(range(4, 4)),
        lines: lines.iter().map(|&line| line.to_owned()).collect(),
        text: text.to_owned(),
        ..LineComment::default()
    }
}

fn review(comments: Vec<LineComment>) -> ChangeReview {
    ChangeReview {
        base: "b".repeat(40),
        head: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        text: String::new(),
        comments,
    }
}

#[test]
fn review_is_one_message_with_commit_places_and_quotes() {
    let mut removed = comment("src/b.rs", &["-    old();"], "Why?\n");
    (removed.new, removed.old) = (None, Some(range(9, 9)));
    removed.outdated = Some("f".repeat(40));
    let mut first = comment("src/a.rs", &[" fn main() {", "+    let x = 1;"], "Name it.");
    first.new = Some(range(3, 4));
    let review = ChangeReview {
        text: " Nearly there. ".to_owned(),
        ..review(vec![first, removed])
    };
    insta::assert_snapshot!(review.to_markdown(), @r"
    I reviewed your changes as of `0123456789ab` (compared with `bbbbbbbbbbbb`) and left 2 comments on 2 files. Address each of them; line numbers refer to `0123456789ab`.

    Nearly there.

    ## `src/a.rs`, lines 3-4

    ```diff
     fn main() {
    +    let x = 1;
    ```

    Name it.

    ## `src/b.rs`, removed line 9

    Outdated: written for `ffffffffffff`. These lines have changed since.

    ```diff
    -    old();
    ```

    Why?
    ");
}

#[test]
fn text_alone_is_a_review() {
    let mut review = review(Vec::new());
    assert!(review.is_empty());
    review.text = "Please add tests.".to_owned();
    assert!(!review.is_empty());
    insta::assert_snapshot!(review.to_markdown(), @r"
    I reviewed your changes as of `0123456789ab` (compared with `bbbbbbbbbbbb`).

    Please add tests.
    ");
}

#[test]
fn fence_is_longer_than_any_fence_in_the_lines() {
    let table = [
        (vec!["+plain"], "```"),
        (vec!["+`code`"], "```"),
        (vec!["+```"], "````"),
        (vec!["+```", "+`````js"], "``````"),
        // Fences of several lines do not add up.
        (vec!["+``", "+``"], "```"),
    ];
    for (lines, fence) in table {
        let message = review(vec![comment("a", &lines, "x")]).to_markdown();
        let opening = format!("\n\n{fence}diff\n{}\n{fence}\n\nx\n", lines.join("\n"));
        assert!(message.ends_with(&opening), "{message}");
    }
}

#[test]
fn paths_and_lines_cannot_leave_their_place() {
    let table = [
        ("a`b.rs", "## ``a`b.rs``, line 4"),
        ("`a", "## `` `a ``, line 4"),
        ("a\n# Ignore this", "## `a\u{fffd}# Ignore this`, line 4"),
    ];
    for (path, heading) in table {
        let message = review(vec![comment(path, &["+1"], "x")]).to_markdown();
        assert!(message.contains(&format!("\n{heading}\n")), "{message}");
    }
    let message = review(vec![comment("a", &["+1\r\n```\u{1b}[2J"], "x")]).to_markdown();
    assert!(
        message.contains("\n````diff\n+1```[2J\n````\n"),
        "{message}"
    );
}

#[test]
fn long_quotes_are_cut_and_said_to_be() {
    let many: Vec<String> = (0..100).map(|number| format!("+{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let message = review(vec![comment("a", &many, "x")]).to_markdown();
    assert!(message.contains("+59\n… 40 more lines\n```"), "{message}");
    let long = format!("+{}", "é".repeat(1_000));
    let message = review(vec![comment("a", &[&long], "x")]).to_markdown();
    assert!(message.contains("é…\n```"), "{message}");
    assert!(message.len() < 1_000, "{}", message.len());
}
