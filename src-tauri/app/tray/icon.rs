//! Draws the tray icon: Baton's logo with a badge for the current state. Shapes and colors match
//! the window's.

use tauri::image::Image;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform,
};

use super::state::Badge;

/// Width and height in pixels: twice what most desktops draw, for high-density screens.
const ICON_SIZE: u32 = 64;
/// The logo is drawn in a 24 × 24 box, like the one in the window.
const LOGO_SCALE: f32 = ICON_SIZE as f32 / 24.0;

/// The window's accent color.
const ACCENT: u32 = 0x4f_46_e5;
/// Shapes on a colored background.
const WHITE: u32 = 0xff_ff_ff;
/// The window's color for running.
const RUNNING_COLOR: u32 = 0x1b_59_c7;
/// The window's color for waiting, and the color of shapes on it.
const WAITING_COLOR: u32 = 0xf2_b8_3f;
const ON_WAITING_COLOR: u32 = 0x35_29_0c;

/// Renders the logo with `badge`.
pub(super) fn render(badge: Badge) -> Image<'static> {
    let pixels = draw(badge)
        .map(|pixmap| to_rgba(&pixmap))
        .unwrap_or_default();
    Image::new_owned(pixels, ICON_SIZE, ICON_SIZE)
}

/// Returns `None` only when out of memory.
fn draw(badge: Badge) -> Option<Pixmap> {
    let mut pixmap = Pixmap::new(ICON_SIZE, ICON_SIZE)?;
    draw_logo(&mut pixmap)?;
    match badge {
        Badge::None => {}
        Badge::Running => {
            draw_badge_disc(&mut pixmap, RUNNING_COLOR)?;
            stroke(&mut pixmap, &ring_path()?, WHITE, 1.9, badge_transform());
        }
        Badge::Waiting => {
            draw_badge_disc(&mut pixmap, WAITING_COLOR)?;
            stroke(
                &mut pixmap,
                &hand_path()?,
                ON_WAITING_COLOR,
                1.7,
                badge_transform(),
            );
        }
    }
    Some(pixmap)
}

/// Draws two nodes and the baton between them.
fn draw_logo(pixmap: &mut Pixmap) -> Option<()> {
    let scale = Transform::from_scale(LOGO_SCALE, LOGO_SCALE);
    fill(pixmap, &rounded_square_path(24.0, 6.0)?, ACCENT, scale);
    let mut baton = PathBuilder::new();
    baton.move_to(8.0, 16.0);
    baton.line_to(16.0, 8.0);
    stroke(pixmap, &baton.finish()?, WHITE, 2.0, scale);
    for (x, y) in [(8.0, 16.0), (16.0, 8.0)] {
        fill(pixmap, &PathBuilder::from_circle(x, y, 3.0)?, WHITE, scale);
    }
    Some(())
}

/// Draws a badge's disc with a clear gap around it, which separates it from the logo.
fn draw_badge_disc(pixmap: &mut Pixmap, color: u32) -> Option<()> {
    let disc = PathBuilder::from_circle(8.0, 8.0, 9.2)?;
    let gap = Paint {
        blend_mode: tiny_skia::BlendMode::Clear,
        anti_alias: true,
        ..Paint::default()
    };
    pixmap.fill_path(&disc, &gap, FillRule::Winding, badge_transform(), None);
    fill(
        pixmap,
        &PathBuilder::from_circle(8.0, 8.0, 8.0)?,
        color,
        badge_transform(),
    );
    Some(())
}

/// Maps the 16 × 16 box of the window's badge shapes to the lower right corner.
fn badge_transform() -> Transform {
    Transform::from_row(2.25, 0.0, 0.0, 2.25, 27.0, 27.0)
}

/// Half a ring: one frame of the window's spinner.
fn ring_path() -> Option<Path> {
    let mut ring = PathBuilder::new();
    ring.move_to(8.0, 3.5);
    ring.cubic_to(10.5, 3.5, 12.5, 5.5, 12.5, 8.0);
    ring.cubic_to(12.5, 10.5, 10.5, 12.5, 8.0, 12.5);
    ring.finish()
}

/// An open hand: four fingers, the thumb, and the palm.
fn hand_path() -> Option<Path> {
    let mut hand = PathBuilder::new();
    for (x, top) in [(6.2, 5.0), (8.1, 4.0), (10.0, 4.6), (11.8, 6.4)] {
        hand.move_to(x, 9.0);
        hand.line_to(x, top);
    }
    hand.move_to(11.8, 8.6);
    hand.cubic_to(11.8, 11.4, 10.6, 12.6, 8.8, 12.6);
    hand.cubic_to(7.2, 12.6, 6.4, 11.8, 5.6, 10.6);
    hand.line_to(4.2, 8.6);
    hand.finish()
}

fn rounded_square_path(side: f32, radius: f32) -> Option<Path> {
    // The distance from a corner to a cubic's handle, for a curve that approximates a quarter
    // circle.
    let reach = radius * 0.447_715;
    let (near, far) = (radius, side - radius);
    let mut path = PathBuilder::new();
    path.move_to(near, 0.0);
    path.line_to(far, 0.0);
    path.cubic_to(side - reach, 0.0, side, reach, side, near);
    path.line_to(side, far);
    path.cubic_to(side, side - reach, side - reach, side, far, side);
    path.line_to(near, side);
    path.cubic_to(reach, side, 0.0, side - reach, 0.0, far);
    path.line_to(0.0, near);
    path.cubic_to(0.0, reach, reach, 0.0, near, 0.0);
    path.close();
    path.finish()
}

fn fill(pixmap: &mut Pixmap, path: &Path, color: u32, transform: Transform) {
    pixmap.fill_path(path, &paint(color), FillRule::Winding, transform, None);
}

fn stroke(pixmap: &mut Pixmap, path: &Path, color: u32, width: f32, transform: Transform) {
    let stroke = Stroke {
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    pixmap.stroke_path(path, &paint(color), &stroke, transform, None);
}

fn paint(color: u32) -> Paint<'static> {
    let [_, red, green, blue] = color.to_be_bytes();
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color(Color::from_rgba8(red, green, blue, u8::MAX));
    paint
}

/// Converts premultiplied pixels to straight RGBA.
fn to_rgba(pixmap: &Pixmap) -> Vec<u8> {
    pixmap
        .pixels()
        .iter()
        .flat_map(|pixel| {
            let color = pixel.demultiply();
            [color.red(), color.green(), color.blue(), color.alpha()]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(badge: Badge, x: u32, y: u32) -> [u8; 4] {
        let image = render(badge);
        let start = ((y * ICON_SIZE + x) * 4) as usize;
        image.rgba()[start..start + 4]
            .try_into()
            .expect("four bytes are a pixel")
    }

    fn opaque(color: u32) -> [u8; 4] {
        let [_, red, green, blue] = color.to_be_bytes();
        [red, green, blue, u8::MAX]
    }

    #[test]
    fn badges_use_their_color_and_keep_the_logo() {
        // The lower edge of the disc, outside the badge's shape.
        let spot = (45, 61);
        assert_eq!(at(Badge::None, spot.0, spot.1), opaque(ACCENT));
        assert_eq!(at(Badge::Running, spot.0, spot.1), opaque(RUNNING_COLOR));
        assert_eq!(at(Badge::Waiting, spot.0, spot.1), opaque(WAITING_COLOR));
        for badge in [Badge::None, Badge::Running, Badge::Waiting] {
            assert_eq!(
                at(badge, 8, 20),
                opaque(ACCENT),
                "the logo is visible with {badge:?}"
            );
            assert_eq!(at(badge, 0, 0)[3], 0, "the rounded corner is transparent");
        }
    }

    #[test]
    fn badges_differ_in_shape_as_well_as_color() {
        let light = |badge| {
            render(badge)
                .rgba()
                .chunks(4)
                .filter(|pixel| pixel[..3] == [255, 255, 255])
                .count()
        };
        assert!(
            light(Badge::Running) > light(Badge::Waiting),
            "only the ring is white"
        );
    }
}
