//! Draws SVG images as PNG.
//!
//! The fonts of the window are part of the program, so that a server without any fonts draws the
//! same picture. Other scripts and emoji come from the fonts of the system, as far as it has them.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};

/// Pixels per unit of the canvas. Two keep a picture sharp on dense screens.
const PIXEL_RATIO: f32 = 2.0;
/// The largest width and height in pixels, the same as in the window.
const MAX_SIDE: f32 = 8192.0;
/// The largest picture in pixels, at four bytes each while it is drawn.
const MAX_PIXELS: f32 = 32_000_000.0;

const SANS: &str = "Inter";
const MONO: &str = "JetBrains Mono";
const OWN_FONTS: [&[u8]; 3] = [
    include_bytes!("../fonts/inter-400.ttf"),
    include_bytes!("../fonts/inter-600.ttf"),
    include_bytes!("../fonts/jetbrains-mono-400.ttf"),
];

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = own_fonts();
    fonts.load_system_fonts();
    // Loading replaces them with the system's choice.
    choose_families(&mut fonts);
    Arc::new(fonts)
});

/// Why a picture couldn't be drawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    #[error("the image can't be read: {0}")]
    Unreadable(#[from] resvg::usvg::Error),
    #[error("there is not enough memory for a picture of {width} by {height} pixels")]
    TooLarge { width: u32, height: u32 },
    #[error("the picture can't be encoded: {reason}")]
    NotEncoded { reason: String },
}

/// Draws `svg` as a PNG picture. One that would be too large is scaled down.
///
/// The first call reads which fonts the system has.
pub(crate) fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    png_with(svg, &FONTS)
}

fn png_with(svg: &str, fonts: &Arc<Database>) -> Result<Vec<u8>, PictureError> {
    let options = Options {
        fontdb: Arc::clone(fonts),
        font_family: SANS.to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size();
    let scale = scale(size.width(), size.height());
    let pixels = |length: f32| ((length * scale).round() as u32).max(1);
    let (width, height) = (pixels(size.width()), pixels(size.height()));
    let too_large = PictureError::TooLarge { width, height };
    let mut picture = Pixmap::new(width, height).ok_or(too_large)?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut picture.as_mut(),
    );
    picture.encode_png().map_err(|error| {
        let reason = error.to_string();
        PictureError::NotEncoded { reason }
    })
}

/// Pixels per unit for a picture of this size.
fn scale(width: f32, height: f32) -> f32 {
    let by_side = MAX_SIDE / width.max(height);
    let by_pixels = (MAX_PIXELS / (width * height)).sqrt();
    PIXEL_RATIO.min(by_side).min(by_pixels)
}

fn own_fonts() -> Database {
    let mut fonts = Database::new();
    for font in OWN_FONTS {
        fonts.load_font_data(font.to_vec());
    }
    choose_families(&mut fonts);
    fonts
}

fn choose_families(fonts: &mut Database) {
    fonts.set_sans_serif_family(SANS);
    fonts.set_serif_family(SANS);
    fonts.set_monospace_family(MONO);
}

#[cfg(test)]
mod tests;
