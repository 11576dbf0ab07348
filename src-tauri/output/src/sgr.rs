//! Select Graphic Rendition (ECMA-48, ISO 8613-6): the codes that set colors and styles.

use vte::{Params, ParamsIter};

use crate::{TerminalColor, TerminalStyle};

/// Changes `style` as the parameters of a `CSI … m` say. Unknown parameters change nothing.
pub(crate) fn apply(style: &mut TerminalStyle, params: &Params) {
    let mut params = params.iter();
    while let Some(param) = params.next() {
        match param {
            [38, color @ ..] => set(&mut style.foreground, color, &mut params),
            [48, color @ ..] => set(&mut style.background, color, &mut params),
            [4, kind] => style.underline = *kind != 0,
            [code, ..] => apply_code(style, *code),
            [] => {}
        }
    }
}

fn apply_code(style: &mut TerminalStyle, code: u16) {
    match code {
        0 => reset(style),
        1 => style.bold = true,
        2 => style.dim = true,
        3 => style.italic = true,
        4 | 21 => style.underline = true,
        7 => style.inverse = true,
        9 => style.strikethrough = true,
        22 => (style.bold, style.dim) = (false, false),
        23 => style.italic = false,
        24 => style.underline = false,
        27 => style.inverse = false,
        29 => style.strikethrough = false,
        30..=37 => style.foreground = palette(code - 30),
        39 => style.foreground = None,
        40..=47 => style.background = palette(code - 40),
        49 => style.background = None,
        90..=97 => style.foreground = palette(code - 90 + 8),
        100..=107 => style.background = palette(code - 100 + 8),
        _ => {}
    }
}

/// A link is not a matter of SGR: it stays.
fn reset(style: &mut TerminalStyle) {
    *style = TerminalStyle {
        link: style.link.take(),
        ..TerminalStyle::default()
    };
}

fn palette(index: u16) -> Option<TerminalColor> {
    let index = u8::try_from(index).ok()?;
    Some(TerminalColor::Palette { index })
}

/// Reads the color after 38 or 48: with colons as `38:2::1:2:3`, or with semicolons as
/// `38;2;1;2;3`, where the numbers are parameters of their own.
fn set(place: &mut Option<TerminalColor>, with_colons: &[u16], rest: &mut ParamsIter) {
    let color = match with_colons {
        [5, index, ..] => palette(*index),
        // The color space is mostly left out, with or without its place.
        [2, _, red, green, blue, ..] | [2, red, green, blue] => rgb([*red, *green, *blue]),
        [] => color_of_rest(rest),
        _ => None,
    };
    if color.is_some() {
        *place = color;
    }
}

fn color_of_rest(rest: &mut ParamsIter) -> Option<TerminalColor> {
    let mut number = || rest.next().and_then(|param| param.first().copied());
    match number()? {
        5 => palette(number()?),
        2 => rgb([number()?, number()?, number()?]),
        _ => None,
    }
}

fn rgb([red, green, blue]: [u16; 3]) -> Option<TerminalColor> {
    let channel = |value| u8::try_from(value).ok();
    let rgb = [channel(red)?, channel(green)?, channel(blue)?];
    Some(TerminalColor::Rgb { rgb })
}
