//! Colors of command output in timelines.

use std::io;

use baton_agents::timeline::{ReadAt, TimelineKind};
use baton_agents::{LogFormat, Stream, TimelineIndex};
use baton_output::StyledRange;

struct Log(Vec<u8>);

impl ReadAt for Log {
    fn read_at(&mut self, stream: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let at = usize::try_from(offset).map_err(io::Error::other)?;
        match self.0.get(at..) {
            Some(mut rest) if stream == Stream::Stdout => io::Read::read(&mut rest, buffer),
            _ => Ok(0),
        }
    }
}

/// The text and styles of the only entry.
fn output(printed: &str) -> (String, Vec<StyledRange>) {
    let mut index = TimelineIndex::new(LogFormat::PLAIN);
    index
        .feed(Stream::Stdout, 0, printed.as_bytes())
        .expect("from the start");
    index.finish();
    let mut log = Log(printed.as_bytes().to_vec());
    let entries = index.page(0..1, &mut log).expect("readable");
    match entries.into_iter().next().map(|entry| entry.kind) {
        Some(TimelineKind::Output { text, styles, .. }) => (text, styles),
        other => panic!("{other:?}"),
    }
}

#[test]
fn output_entries_keep_colors_beside_plain_text() {
    let (text, styles) = output("ok \x1b[32mgreen\x1b[0m\n10%\r20%\n");
    assert_eq!(text, "ok green\n20%\n");
    let places: Vec<_> = styles
        .iter()
        .map(|range| (range.start, range.end))
        .collect();
    assert_eq!(places, [(3, 8)]);
}

#[test]
fn text_without_codes_has_no_styles_on_the_wire() {
    let (text, styles) = output("plain\n");
    assert_eq!((text.as_str(), styles.len()), ("plain\n", 0));
    let kind = TimelineKind::Output {
        stream: Stream::Stdout,
        text,
        styles,
    };
    let wire = serde_json::to_string(&kind).expect("JSON");
    assert!(!wire.contains("styles"), "{wire}");
}
