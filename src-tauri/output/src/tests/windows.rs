use super::Output;
use crate::{OutputMatcher, OutputStream, StreamGrowth};

fn numbered(lines: usize) -> Vec<u8> {
    (1..=lines)
        .flat_map(|line| format!("line {line}\n").into_bytes())
        .collect()
}

#[test]
fn window_opens_at_both_ends_and_between() {
    let bytes = numbered(50_000);
    let mut output = Output::stdout(&bytes);
    let start = output.window(0, 10, 3);
    assert!(start.at_start && !start.at_end);
    assert_eq!((start.anchor, start.rows[2].text.as_str()), (0, "line 3"));
    assert_eq!(start.rows[2].line, Some(3));

    let end = output.window(u64::MAX, 3, 10);
    assert!(end.at_end && !end.at_start);
    assert_eq!(end.anchor, 3);
    assert_eq!(end.rows[2].text, "line 50000");
    assert_eq!(end.rows[2].line, Some(50_000));

    let middle = output.window(300_000, 2, 2);
    assert_eq!((middle.anchor, middle.rows.len()), (2, 4));
    let anchor = &middle.rows[2];
    assert!(anchor.position <= 300_000 && middle.rows[3].position > 300_000);
}

#[test]
fn windows_meet_without_a_gap() {
    let bytes = numbered(30_000);
    let texts = Output::stdout(&bytes).texts();
    assert_eq!(texts.len(), 30_000);
    assert!(
        texts
            .iter()
            .enumerate()
            .all(|(at, text)| *text == format!("line {}", at + 1))
    );
}

#[test]
fn backwards_windows_meet_too() {
    let bytes = numbered(3_000);
    let mut output = Output::stdout(&bytes);
    let mut from = output.order.size();
    let mut count = 0;
    loop {
        let window = output.window(from, 70, 0);
        count += window.rows.len();
        if window.at_start {
            break;
        }
        from = window.rows[0].position;
    }
    assert_eq!(count, 3_000);
}

fn note(at_ms: i64, stream: OutputStream, length: usize) -> StreamGrowth {
    StreamGrowth {
        at_ms,
        stream,
        length: length as u64,
    }
}

#[test]
fn streams_are_in_printed_order() {
    use OutputStream::{Stderr, Stdout};
    let notes = vec![
        note(10, Stdout, "one\ntw".len()),
        note(20, Stderr, "warning\n".len()),
        note(30, Stdout, "one\ntwo\nthree\n".len()),
    ];
    let mut output = Output::new(b"one\ntwo\nthree\n", b"warning\nlast", notes);
    let rows = output.rows();
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (row.text.as_str(), row.stream, row.line, row.at_ms))
        .collect();
    assert_eq!(
        seen,
        [
            ("one", Stdout, Some(1), Some(10)),
            ("two", Stdout, Some(2), Some(10)),
            ("warning", Stderr, Some(3), Some(20)),
            ("three", Stdout, Some(4), Some(30)),
            ("last", Stderr, Some(5), None),
        ]
    );
}

#[test]
fn very_long_lines_are_several_rows() {
    let mut bytes = b"short\n".to_vec();
    bytes.extend(std::iter::repeat_n(b'x', 300_000));
    bytes.extend(b"\nlast\n");
    let mut output = Output::stdout(&bytes);
    let rows = output.rows();
    assert_eq!(
        rows.iter().map(|row| row.text.len()).sum::<usize>(),
        5 + 300_000 + 4
    );
    assert!(rows.iter().all(|row| row.text.len() <= 4_096));
    assert!(
        rows.windows(2)
            .all(|pair| pair[0].position < pair[1].position)
    );
    assert_eq!(rows.last().unwrap().line, Some(3));
    assert!(rows[2].continued && rows[2].line.is_none());
    let size = output.order.size();
    let copied = output.view().text(0, size).unwrap();
    assert_eq!(copied.text.as_bytes(), bytes);
    assert_eq!(
        output.view().raw_text(0, size).unwrap().text.as_bytes(),
        bytes
    );
}

#[test]
fn line_positions_are_found() {
    let bytes = numbered(200_000);
    let mut output = Output::stdout(&bytes);
    for line in [1, 2, 99_999, 200_000] {
        let position = output
            .lines
            .line_position(&mut output.source.clone(), &output.order, line);
        let window = output.window(position.unwrap().unwrap(), 0, 1);
        assert_eq!(window.rows[0].text, format!("line {line}"));
    }
    let mut none = |line| {
        output
            .lines
            .line_position(&mut output.source, &output.order, line)
            .unwrap()
    };
    assert_eq!((none(0), none(200_001)), (None, None));
}

#[test]
fn search_lands_on_the_row() {
    let mut bytes = numbered(40_000);
    bytes.extend("\x1b[31mneed\x1b[1mle\x1b[0m é needle\nold needle\rnew text..\n".bytes());
    bytes.extend(numbered(10));
    let mut output = Output::stdout(&bytes);
    let matcher = OutputMatcher::text("needle", true).unwrap();
    let mut from = 0;
    let mut hits = Vec::new();
    while from < output.order.size() {
        let part = output.view().search(&matcher, from, 100).unwrap();
        hits.extend(part.hits);
        from = part.next;
    }
    let found: Vec<_> = hits.iter().map(|hit| (hit.start, hit.end)).collect();
    assert_eq!(
        found,
        [(0, 6), (9, 15)],
        "what was overwritten is not found"
    );
    let window = output.window(hits[0].row, 0, 1);
    assert_eq!(window.rows[0].text, "needle é needle");

    let backwards = output
        .view()
        .search_backwards(&matcher, u64::MAX, 1)
        .unwrap();
    assert_eq!(
        (backwards.hits[0].row, backwards.hits[0].start),
        (hits[0].row, 9)
    );
}

#[test]
fn search_stops_at_its_limit_and_continues() {
    let bytes = b"x\n".repeat(100);
    let mut output = Output::stdout(&bytes);
    let matcher = OutputMatcher::regex("^x$", true).unwrap();
    let first = output.view().search(&matcher, 0, 30).unwrap();
    assert_eq!((first.hits.len(), first.next), (30, 59));
    let rest = output.view().search(&matcher, first.next, 1_000).unwrap();
    assert_eq!((rest.hits.len(), rest.next), (70, 200));
    let last = output.view().search_backwards(&matcher, 200, 2).unwrap();
    assert_eq!(
        last.hits.iter().map(|hit| hit.row).collect::<Vec<_>>(),
        [198, 196]
    );
}
