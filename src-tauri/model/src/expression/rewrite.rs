//! Rewrites a condition so that each comparison becomes a call, evaluated by [`super::comparison`].
//!
//! The template engine has no hook for its operators. The operands of a comparison are held
//! together only by brackets and by operators that bind tighter, so comparisons can be found
//! without parsing the operands. The input is known to be well formed.

use std::ops::Range;

use super::comparison::{FUNCTION, Operator};
use super::reference::{after_literal, word_length};

/// A condition as it is evaluated.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) text: String,
    /// The comparisons, by the number that their calls pass.
    pub(super) comparisons: Vec<Comparison>,
    /// Offsets in `text` with the corresponding offsets in the source.
    origins: Vec<(usize, usize)>,
}

/// One comparison, with the source ranges of its two sides.
#[derive(Debug, Clone)]
pub(super) struct Comparison {
    pub(super) left: Range<usize>,
    pub(super) right: Range<usize>,
}

/// The pieces of an expression that matter for comparisons.
#[derive(Debug)]
enum Piece {
    /// Part of an operand.
    Part(Range<usize>),
    /// Bracketed content, including the brackets.
    Group {
        whole: Range<usize>,
        inside: Vec<Piece>,
    },
    Compares(Operator, Range<usize>),
    /// A word or sign that binds less tightly than a comparison.
    Separates(Range<usize>),
}

impl Piece {
    fn place(&self) -> &Range<usize> {
        match self {
            Self::Part(place) | Self::Compares(_, place) | Self::Separates(place) => place,
            Self::Group { whole, .. } => whole,
        }
    }
}

pub(super) fn rewrite(source: &str) -> Rewritten {
    let mut rewritten = Rewritten::default();
    let pieces = Scanner { source, at: 0 }.pieces();
    rewritten.push_all(source, &pieces, 0..source.len());
    rewritten
}

impl Rewritten {
    /// The source offset that corresponds to the offset `at` in the text.
    pub(super) fn origin(&self, at: usize) -> usize {
        let part = self.origins.iter().rev().find(|(start, _)| *start <= at);
        part.map_or(0, |(start, origin)| origin + (at - start))
    }

    fn copy(&mut self, source: &str, place: Range<usize>) {
        self.origins.push((self.text.len(), place.start));
        self.text.push_str(&source[place]);
    }

    /// Appends everything within `span`, which consists of `pieces` and blanks.
    fn push_all(&mut self, source: &str, pieces: &[Piece], span: Range<usize>) {
        let mut at = span.start;
        for chain in pieces.split_inclusive(|piece| matches!(piece, Piece::Separates(_))) {
            let (separator, operands) = match chain.split_last() {
                Some((Piece::Separates(place), operands)) => (Some(place), operands),
                _ => (None, chain),
            };
            if let (Some(first), Some(last)) = (operands.first(), operands.last()) {
                self.copy(source, at..first.place().start);
                self.push_chain(source, operands);
                at = last.place().end;
            }
            if let Some(place) = separator {
                self.copy(source, at..place.end);
                at = place.end;
            }
        }
        self.copy(source, at..span.end);
    }

    /// Appends `a`, `a < b`, or `a < b < c`, which means `a < b and b < c`.
    fn push_chain(&mut self, source: &str, pieces: &[Piece]) {
        let operators: Vec<(Operator, usize)> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Compares(operator, place) => Some((*operator, place.start)),
                _ => None,
            })
            .collect();
        let operands: Vec<&[Piece]> = pieces
            .split(|piece| matches!(piece, Piece::Compares(..)))
            .collect();
        if operators.is_empty() {
            return self.push_operand(source, pieces);
        }
        self.text.push('(');
        for (number, ((operator, at), sides)) in
            operators.iter().zip(operands.windows(2)).enumerate()
        {
            if number > 0 {
                self.text.push_str(" and ");
            }
            self.origins.push((self.text.len(), *at));
            self.text.extend([FUNCTION, "('", operator.sign(), "', "]);
            self.push_operand(source, sides[0]);
            self.text.push_str(", ");
            self.push_operand(source, sides[1]);
            let number = self.comparisons.len().to_string();
            self.text.extend([", ", number.as_str(), ")"]);
            self.comparisons.push(Comparison {
                left: span(sides[0]),
                right: span(sides[1]),
            });
        }
        self.text.push(')');
    }

    fn push_operand(&mut self, source: &str, pieces: &[Piece]) {
        let mut at = span(pieces).start;
        for piece in pieces {
            self.copy(source, at..piece.place().start);
            match piece {
                Piece::Group { whole, inside } => self.push_all(source, inside, whole.clone()),
                piece => self.copy(source, piece.place().clone()),
            }
            at = piece.place().end;
        }
    }
}

fn span(pieces: &[Piece]) -> Range<usize> {
    match (pieces.first(), pieces.last()) {
        (Some(first), Some(last)) => first.place().start..last.place().end,
        _ => 0..0,
    }
}

/// Splits an expression into pieces.
struct Scanner<'a> {
    source: &'a str,
    at: usize,
}

impl Scanner<'_> {
    /// The pieces up to the closing bracket (not consumed), or to the end.
    fn pieces(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while let Some(c) = self.source[self.at..].chars().next() {
            if matches!(c, ')' | ']' | '}') {
                break;
            }
            if !c.is_whitespace() {
                let piece = self.piece(c, &pieces);
                pieces.push(piece);
            } else {
                self.at += c.len_utf8();
            }
        }
        pieces
    }

    fn piece(&mut self, c: char, before: &[Piece]) -> Piece {
        let start = self.at;
        let rest = &self.source[start..];
        if matches!(c, '(' | '[' | '{') {
            self.at += 1;
            let inside = self.pieces();
            self.at = (self.at + 1).min(self.source.len());
            return Piece::Group {
                whole: start..self.at,
                inside,
            };
        }
        if let Some(operator) = Operator::at_start(rest) {
            self.at += operator.sign().len();
            return Piece::Compares(operator, start..self.at);
        }
        self.at += match c {
            '"' | '\'' => after_literal(self.source, start) - start,
            c if is_of_word(c) => word(rest).len(),
            c => c.len_utf8(),
        };
        let place = start..self.at;
        match c {
            ',' | ':' | '=' => Piece::Separates(place),
            c if is_of_word(c) => self.of_word(place, before),
            _ => Piece::Part(place),
        }
    }

    fn of_word(&mut self, place: Range<usize>, before: &[Piece]) -> Piece {
        let text =
            |piece: Option<&Piece>| piece.map_or("", |piece| &self.source[piece.place().clone()]);
        let (last, last_but_one) = (text(before.last()), text(before.iter().nth_back(1)));
        let is_name = matches!(last, "." | "|" | "is") || (last == "not" && last_but_one == "is");
        let rest = self.source[place.end..].trim_start();
        match &self.source[place.clone()] {
            _ if is_name => Piece::Part(place),
            "and" | "or" | "if" | "else" => Piece::Separates(place),
            "in" => Piece::Compares(Operator::In, place),
            "not" if word(rest) == "in" => {
                self.at = self.source.len() - rest.len() + "in".len();
                Piece::Compares(Operator::NotIn, place.start..self.at)
            }
            "not" => Piece::Separates(place),
            _ => Piece::Part(place),
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word(text: &str) -> &str {
    &text[..word_length(text)]
}
