//! Renders a page of the guide for a terminal.
//!
//! Supports the subset of Markdown that the pages use: headings, paragraphs, lists, tables, fenced
//! code, links, images, inline code and bold. A test checks that no page uses more.

use unicode_width::UnicodeWidthStr;

use crate::output::Output;
use crate::style::{self, Tone};

/// Maximum width of text, even on wider terminals.
const MAX_WIDTH: usize = 96;

/// Renders Markdown at the width of the terminal of `output`.
pub(crate) fn render_page(markdown: &str, output: &Output) -> String {
    let width = output.width().unwrap_or(MAX_WIDTH).min(MAX_WIDTH);
    let mut page = String::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            for code in lines.by_ref().take_while(|code| !code.starts_with("```")) {
                page.extend(["    ", code, "\n"]);
            }
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(row) = lines.next_if(|next| next.starts_with('|')) {
                rows.push(cells(row));
            }
            rows.retain(|row| !is_separator_row(row));
            page += &render_table(&rows, width, output);
        } else if line.starts_with('#') {
            let heading = strip_markup(line.trim_start_matches('#').trim());
            page += &output.paint(&heading, Tone::Strong);
            page.push('\n');
        } else {
            let mut text = line.to_owned();
            // Join the lines of a paragraph or list item.
            while let Some(more) = lines.next_if(|next| continues(next) && !text.is_empty()) {
                text = format!("{text} {}", more.trim());
            }
            page += &wrap(&strip_markup(&text), width, indent_of(&text));
        }
    }
    page
}

/// Whether a line belongs to the paragraph before it.
fn continues(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(['#', '|', '`', '!']) && indent_of(line) == 0
}

/// Returns the indentation for the continuation lines of a list item: the width of its marker.
fn indent_of(line: &str) -> usize {
    if line.starts_with("- ") {
        return 2;
    }
    match line.split_once(". ") {
        Some((number, _)) if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) => {
            number.len() + 2
        }
        _ => 0,
    }
}

fn cells(row: &str) -> Vec<String> {
    let inner = row.trim().trim_matches('|');
    inner
        .split('|')
        .map(|cell| strip_markup(cell.trim()))
        .collect()
}

fn is_separator_row(row: &[String]) -> bool {
    row.iter()
        .all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':')))
}

/// Renders a table in columns, or, if it is too wide, each row as lines below its first cell.
fn render_table(rows: &[Vec<String>], width: usize, output: &Output) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<_> = (0..columns)
        .map(|at| {
            let cells = rows.iter().filter_map(|row| row.get(at));
            cells.map(|cell| cell.width()).max().unwrap_or_default()
        })
        .collect();
    let [head, body @ ..] = rows else {
        return String::new();
    };
    if widths.iter().sum::<usize>() + 2 * columns > width {
        return body
            .iter()
            .map(|row| render_row_as_lines(row, head, width, output))
            .collect();
    }
    let line = |row: &Vec<String>, tone| {
        let padded = row.iter().zip(&widths);
        let padded = padded.map(|(cell, &width)| output.paint(&style::pad(cell, width), tone));
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    let body: String = body.iter().map(|row| line(row, Tone::Plain)).collect();
    line(head, Tone::Faint) + &body
}

fn render_row_as_lines(row: &[String], head: &[String], width: usize, output: &Output) -> String {
    let Some((first, rest)) = row.split_first() else {
        return String::new();
    };
    // In a table with two columns, the second heading adds nothing.
    let names = head.iter().skip(1).map(|name| match head.len() {
        2 => String::new(),
        _ => format!("{name}: "),
    });
    let lines = rest.iter().zip(names).filter(|(cell, _)| !cell.is_empty());
    let lines: String = lines
        .map(|(cell, name)| wrap(&format!("  {name}{cell}"), width, 2))
        .collect();
    let first: String = wrap(first, width, 0)
        .lines()
        .map(|line| format!("{}\n", output.paint(line, Tone::Strong)))
        .collect();
    first + &lines
}

/// Removes markup. Links become their text and target; images become their description.
fn strip_markup(markdown: &str) -> String {
    let mut text = String::new();
    let mut rest = markdown;
    while let Some((before, label, address, after)) = next_link(rest) {
        match before.strip_suffix('!') {
            Some(before) => text.extend([before, "[Picture: ", label, "]"]),
            None => text.extend([before, label, &format_link_target(address)]),
        }
        rest = after;
    }
    (text + rest).replace("**", "").replace('`', "")
}

fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let middle = text.find("](")?;
    let start = text[..middle].rfind('[')?;
    let end = middle + text[middle..].find(')')?;
    Some((
        &text[..start],
        &text[start + 1..middle],
        &text[middle + 2..end],
        &text[end + 1..],
    ))
}

/// Formats a link's target for a terminal: the `baton help` command or the URL.
fn format_link_target(address: &str) -> String {
    match address.split_once(".md") {
        Some((topic, _)) if !topic.contains('/') => format!(" (baton help {topic})"),
        _ if address.starts_with("http") => format!(" ({address})"),
        _ => String::new(),
    }
}

/// Wraps `text` at `width` columns and indents continuation lines. A longer word gets its own line.
fn wrap(text: &str, width: usize, indent: usize) -> String {
    let start = text.len() - text.trim_start().len();
    let mut wrapped = " ".repeat(start);
    let mut column = start;
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 && column + 1 + word.width() > width {
            wrapped.push('\n');
            wrapped += &" ".repeat(indent);
            column = indent;
        } else if at > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped += word;
        column += word.width();
    }
    wrapped + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::global_options::{ColorChoice, GlobalOptions};
    use crate::help::TOPICS;

    fn output() -> Output {
        Output::new(&GlobalOptions {
            data_dir: None,
            json: false,
            quiet: false,
            color: ColorChoice::Never,
        })
    }

    #[test]
    fn page_keeps_text_and_drops_markup() {
        let page = "# Title\n\nSee [edges](edges.md#rules), **bold** and `code`.\n\n![A graph](../a.webp)\n\n\
                    ```sh\nbaton run **x**\n```\n\n- one\n- [Tidy](command:tidy)\n\n| a | b |\n| --- | --- |\n| `x` | long |\n";
        assert_eq!(
            render_page(page, &output()),
            "Title\n\nSee edges (baton help edges), bold and code.\n\n[Picture: A graph]\n\n    baton run **x**\n\n\
             - one\n- Tidy\n\na  b\nx  long\n"
        );
    }

    #[test]
    fn wrapped_list_text_is_indented() {
        assert_eq!(wrap("- aaa bbb ccc", 9, 2), "- aaa bbb\n  ccc\n");
        assert_eq!(wrap("  x y", 3, 2), "  x\n  y\n");
    }

    #[test]
    fn wide_table_becomes_lines() {
        let rows =
            [["key", "value"], ["a", "one two three"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            render_table(&rows, 12, &output()),
            "a\n  one two\n  three\n"
        );
    }

    #[test]
    fn no_page_shows_raw_markdown() {
        for topic in TOPICS {
            let page = render_page(topic.source, &output());
            let prose = page.lines().filter(|line| !line.starts_with("    "));
            for line in prose {
                let left = ["**", "](", "```", "| "]
                    .iter()
                    .find(|mark| line.contains(**mark));
                assert!(left.is_none(), "{}: {left:?} in {line}", topic.id);
                assert!(line.width() <= MAX_WIDTH, "{}: too long: {line}", topic.id);
            }
        }
    }
}
