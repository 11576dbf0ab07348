use super::Output;
use crate::{TerminalColor, TerminalStyle};

fn texts(bytes: &[u8]) -> Vec<String> {
    Output::stdout(bytes).texts()
}

#[test]
fn codes_are_removed_or_carried_out() {
    for (bytes, rows) in [
        (&b""[..], &[][..]),
        (b"one\ntwo", &["one", "two"]),
        (b"one\r\n\r\ntwo\r\n", &["one", "", "two"]),
        (b"10%\r50%\r100%\ndone\n", &["100%", "done"]),
        (b"longer\rab\n", &["abnger"]),
        (b"longer\r\x1b[Kab\n", &["ab"]),
        (b"ab\x08c\n", &["ac"]),
        (b"a\tb\n", &["a\tb"]),
        (b"\x1b]0;title\x07after\n", &["after"]),
        (b"\x1b]0;never ends\nnext\n", &["", "next"]),
        (b"\x1bPq#0sixel\x1b\\x\n", &["x"]),
        (b"\x1b[2J\x1b[Hstill\n", &["still"]),
        (b"\x1b(Bplain\x1b[?25l\n", &["plain"]),
        (b"\xff\xfe ok\n", &["\u{fffd}\u{fffd} ok"]),
        (b"a\0b\x7f\xc2\x85c\n", &["abc"]),
        (b"\x1b[5Cx\x1b[2Dy\n", &["    yx"]),
        (b"abcdef\x1b[3G\x1b[2P\n", &["abef"]),
        (b"\x1b[31", &[""]),
    ] {
        assert_eq!(texts(bytes), rows, "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn redrawn_rows_have_their_last_state() {
    let mut bytes = b"start\n".to_vec();
    bytes.extend(b"a 0%\nb 0%\n");
    for percent in 1..=100 {
        bytes.extend(format!("\x1b[2A\x1b[2Ka {percent}%\n\x1b[2Kb {percent}%\n").bytes());
    }
    bytes.extend(b"end\n");
    assert_eq!(texts(&bytes), ["start", "a 100%", "b 100%", "end"]);
}

#[test]
fn long_progress_is_collapsed_across_blocks() {
    let mut bytes = Vec::new();
    for step in 0..30_000 {
        if step > 0 {
            bytes.extend(b"\x1b[1A\x1b[K");
        }
        bytes.extend(format!("step {step}\n").bytes());
    }
    bytes.extend(b"done\n");
    assert!(bytes.len() > 400_000);
    assert_eq!(texts(&bytes), ["step 29999", "done"]);
}

#[test]
fn rows_that_were_erased_are_gone() {
    assert_eq!(texts(b"a\nb\nc\n\x1b[2A\x1b[Jx\n"), ["a", "x"]);
}

fn style(bytes: &[u8]) -> TerminalStyle {
    let rows = Output::stdout(bytes).rows();
    rows[0].styles[0].style.clone()
}

#[test]
fn styles_are_kept() {
    let palette = |index| Some(TerminalColor::Palette { index });
    let rgb = |rgb| Some(TerminalColor::Rgb { rgb });
    let plain = TerminalStyle::default;
    for (codes, expected) in [
        (
            "31",
            TerminalStyle {
                foreground: palette(1),
                ..plain()
            },
        ),
        (
            "95",
            TerminalStyle {
                foreground: palette(13),
                ..plain()
            },
        ),
        (
            "42;1",
            TerminalStyle {
                background: palette(2),
                bold: true,
                ..plain()
            },
        ),
        (
            "38;5;208",
            TerminalStyle {
                foreground: palette(208),
                ..plain()
            },
        ),
        (
            "48:5:17",
            TerminalStyle {
                background: palette(17),
                ..plain()
            },
        ),
        (
            "38;2;1;2;3",
            TerminalStyle {
                foreground: rgb([1, 2, 3]),
                ..plain()
            },
        ),
        (
            "38:2::1:2:3",
            TerminalStyle {
                foreground: rgb([1, 2, 3]),
                ..plain()
            },
        ),
        (
            "38:2:1:2:3",
            TerminalStyle {
                foreground: rgb([1, 2, 3]),
                ..plain()
            },
        ),
        (
            "2;3;4;7;9",
            TerminalStyle {
                dim: true,
                italic: true,
                underline: true,
                inverse: true,
                strikethrough: true,
                ..plain()
            },
        ),
        (
            "1;2;22;4",
            TerminalStyle {
                underline: true,
                ..plain()
            },
        ),
        (
            "31;39;103",
            TerminalStyle {
                background: palette(11),
                ..plain()
            },
        ),
        (
            "38;2;300;0;0;1",
            TerminalStyle {
                bold: true,
                ..plain()
            },
        ),
        (
            "31;0;4:3",
            TerminalStyle {
                underline: true,
                ..plain()
            },
        ),
    ] {
        assert_eq!(
            style(format!("\x1b[{codes}mx\n").as_bytes()),
            expected,
            "{codes}"
        );
    }
}

#[test]
fn styles_cover_their_characters() {
    let rows = Output::stdout("a\x1b[31m😀b\x1b[0mc\x1b[32md\n".as_bytes()).rows();
    assert_eq!(rows[0].text, "a😀bcd");
    let ranges: Vec<_> = rows[0]
        .styles
        .iter()
        .map(|range| (range.start, range.end))
        .collect();
    assert_eq!(ranges, [(1, 4), (5, 6)]);
}

#[test]
fn color_lasts_beyond_its_line() {
    let mut bytes = b"\x1b[31mred\n".to_vec();
    bytes.extend(b"still red\n".repeat(3_000));
    let mut output = Output::stdout(&bytes);
    let last = output.window(bytes.len() as u64, 1, 0);
    assert_eq!(last.rows[0].styles.len(), 1);
}

#[test]
fn links_have_targets() {
    let link = |bytes: &[u8]| style(bytes).link;
    assert_eq!(
        link(b"\x1b]8;id=1;https://example.com/a;b\x1b\\text\x1b]8;;\x1b\\\n").as_deref(),
        Some("https://example.com/a;b")
    );
    let rows = Output::stdout(b"\x1b]8;;\x1b\\text\n").rows();
    assert!(rows[0].styles.is_empty());
}
