use proptest::prelude::*;

use super::Output;
use crate::{OutputMatcher, OutputRow, OutputStream, StreamGrowth};

/// Bytes that are likely to be interesting to a terminal. Redraws reach as far back as they do in
/// progress bars, so lines are long only where nothing is redrawn.
fn output() -> impl Strategy<Value = Vec<u8>> {
    let redraw = prop_oneof![Just(b"\x1b[2A".to_vec()), Just(b"\x1b[J".to_vec())];
    let long = (1_usize..150_000).prop_map(|length| vec![b'y'; length]);
    let lines = (1_usize..6_000).prop_map(|count| b"cdefgh\n".repeat(count));
    prop_oneof![
        prop::collection::vec(prop_oneof![40 => part(), 8 => redraw, 1 => lines], 0..80),
        prop::collection::vec(prop_oneof![20 => part(), 1 => long], 0..40),
    ]
    .prop_map(|parts| parts.concat())
}

fn part() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\x1b[K".to_vec()),
        Just(b"\x1b[31m".to_vec()),
        Just(b"\x1b[0m".to_vec()),
        Just(b"\x1b]8;;http://x\x1b\\".to_vec()),
        Just(b"\x1b]".to_vec()),
        Just(b"\x1bP".to_vec()),
        "[a-z\u{e9}\t]{0,12}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..20),
    ]
}

fn check(rows: &[OutputRow], size: u64) -> Result<(), TestCaseError> {
    prop_assert!(
        rows.windows(2)
            .all(|pair| pair[0].position < pair[1].position)
    );
    prop_assert!(rows.iter().all(|row| row.position < size));
    for row in rows {
        prop_assert!(
            !row.text.chars().any(|c| c.is_control() && c != '\t'),
            "{:?}",
            row.text
        );
        prop_assert!(row.text.chars().count() <= 4_096);
        let length = row.text.encode_utf16().count() as u32;
        let mut end = 0;
        for range in &row.styles {
            prop_assert!(range.start >= end && range.start < range.end && range.end <= length);
            end = range.end;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Any bytes give rows without control characters, in order; and each row looks the same from
    /// wherever it is opened.
    #[test]
    fn any_bytes_are_rendered(stdout in output(), stderr in output(), cut in 0.0..1.0_f64, from in 0.0..1.0_f64) {
        let half = (stdout.len() as f64 * cut) as u64;
        let notes = vec![
            StreamGrowth { at_ms: 1, stream: OutputStream::Stdout, length: half },
            StreamGrowth { at_ms: 2, stream: OutputStream::Stderr, length: stderr.len() as u64 },
        ];
        let mut output = Output::new(&stdout, &stderr, notes);
        let size = output.order.size();
        let rows = output.rows();
        check(&rows, size)?;

        let position = (size as f64 * from) as u64;
        let window = output.window(position, 7, 7);
        let at = rows.iter().position(|row| window.rows.first() == Some(row));
        if let Some(at) = at {
            prop_assert_eq!(&window.rows[..], &rows[at..at + window.rows.len()]);
        } else {
            prop_assert!(window.rows.is_empty());
        }
        let end = output.window(size, 1, 0);
        prop_assert_eq!(rows.last(), end.rows.last());
    }

    /// A search finds what is in the rows, in both directions.
    #[test]
    fn search_agrees_with_rows(stdout in output()) {
        let mut output = Output::stdout(&stdout);
        let size = output.order.size();
        let matcher = OutputMatcher::regex("[ab]+", true).unwrap();
        let expected: Vec<u64> = output
            .rows()
            .iter()
            .flat_map(|row| matcher.matches(&row.text).map(|_| row.position))
            .collect();
        let (mut forwards, mut from) = (Vec::new(), 0);
        while from < size {
            let part = output.view().search(&matcher, from, 3).unwrap();
            forwards.extend(part.hits.iter().map(|hit| hit.row));
            from = part.next;
        }
        prop_assert_eq!(&forwards, &expected);
        let (mut backwards, mut from) = (Vec::new(), size);
        while from > 0 {
            let part = output.view().search_backwards(&matcher, from, 3).unwrap();
            backwards.extend(part.hits.iter().map(|hit| hit.row));
            from = part.next;
        }
        backwards.reverse();
        prop_assert_eq!(backwards, expected);
    }
}
