//! Baton's sign as a picture, with a badge for what goes on. Shapes and hues are those of the window.

use tauri::image::Image;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform,
};

use super::standing::Badge;

/// The side of the picture in pixels: twice what most desktops draw, for dense screens.
const SIDE: u32 = 64;
/// The sign is drawn in a box of 24, like the mark in the window.
const SIGN: f32 = SIDE as f32 / 24.0;

/// The window's accent.
const ACCENT: u32 = 0x4f_46_e5;
/// What stands on color.
const WHITE: u32 = 0xff_ff_ff;
/// The hue of what runs.
const RUNNING: u32 = 0x1b_59_c7;
/// The hue of what waits, and what stands on it.
const WAITING: u32 = 0xf2_b8_3f;
const ON_WAITING: u32 = 0x35_29_0c;

/// The sign with `badge`.
pub(super) fn of(badge: Badge) -> Image<'static> {
    let pixels = draw(badge).map(|drawn| plain(&drawn)).unwrap_or_default();
    Image::new_owned(pixels, SIDE, SIDE)
}

/// `None` only where there is no memory for it.
fn draw(badge: Badge) -> Option<Pixmap> {
    let mut drawn = Pixmap::new(SIDE, SIDE)?;
    sign(&mut drawn)?;
    match badge {
        Badge::None => {}
        Badge::Running => {
            ground(&mut drawn, RUNNING)?;
            stroke(&mut drawn, &ring()?, WHITE, 1.9, in_badge());
        }
        Badge::Waiting => {
            ground(&mut drawn, WAITING)?;
            stroke(&mut drawn, &hand()?, ON_WAITING, 1.7, in_badge());
        }
    }
    Some(drawn)
}

/// Two nodes and the baton between them.
fn sign(drawn: &mut Pixmap) -> Option<()> {
    let scale = Transform::from_scale(SIGN, SIGN);
    fill(drawn, &rounded(24.0, 6.0)?, ACCENT, scale);
    let mut baton = PathBuilder::new();
    baton.move_to(8.0, 16.0);
    baton.line_to(16.0, 8.0);
    stroke(drawn, &baton.finish()?, WHITE, 2.0, scale);
    for (x, y) in [(8.0, 16.0), (16.0, 8.0)] {
        fill(drawn, &PathBuilder::from_circle(x, y, 3.0)?, WHITE, scale);
    }
    Some(())
}

/// The disc that a badge stands on, with a gap around it so that it is told from the sign.
fn ground(drawn: &mut Pixmap, hue: u32) -> Option<()> {
    let disc = PathBuilder::from_circle(8.0, 8.0, 9.2)?;
    let gap = Paint {
        blend_mode: tiny_skia::BlendMode::Clear,
        anti_alias: true,
        ..Paint::default()
    };
    drawn.fill_path(&disc, &gap, FillRule::Winding, in_badge(), None);
    fill(
        drawn,
        &PathBuilder::from_circle(8.0, 8.0, 8.0)?,
        hue,
        in_badge(),
    );
    Some(())
}

/// From the box of 16 of the window's shapes to the lower right corner.
fn in_badge() -> Transform {
    Transform::from_row(2.25, 0.0, 0.0, 2.25, 27.0, 27.0)
}

/// Half of a ring, as it stands still in the window.
fn ring() -> Option<Path> {
    let mut ring = PathBuilder::new();
    ring.move_to(8.0, 3.5);
    ring.cubic_to(10.5, 3.5, 12.5, 5.5, 12.5, 8.0);
    ring.cubic_to(12.5, 10.5, 10.5, 12.5, 8.0, 12.5);
    ring.finish()
}

/// An open hand: four fingers, the thumb, and the palm.
fn hand() -> Option<Path> {
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

fn rounded(side: f32, radius: f32) -> Option<Path> {
    // How far the handles of a cubic reach so that it lies on a quarter of a circle.
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

fn fill(drawn: &mut Pixmap, path: &Path, hue: u32, place: Transform) {
    drawn.fill_path(path, &paint(hue), FillRule::Winding, place, None);
}

fn stroke(drawn: &mut Pixmap, path: &Path, hue: u32, width: f32, place: Transform) {
    let stroke = Stroke {
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    drawn.stroke_path(path, &paint(hue), &stroke, place, None);
}

fn paint(hue: u32) -> Paint<'static> {
    let [_, red, green, blue] = hue.to_be_bytes();
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color(Color::from_rgba8(red, green, blue, u8::MAX));
    paint
}

/// The pixels as they are sent: colors not yet weakened by what shines through.
fn plain(drawn: &Pixmap) -> Vec<u8> {
    drawn
        .pixels()
        .iter()
        .flat_map(|pixel| {
            let colour = pixel.demultiply();
            [colour.red(), colour.green(), colour.blue(), colour.alpha()]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(badge: Badge, x: u32, y: u32) -> [u8; 4] {
        let image = of(badge);
        let start = ((y * SIDE + x) * 4) as usize;
        image.rgba()[start..start + 4]
            .try_into()
            .expect("four bytes are a pixel")
    }

    fn opaque(hue: u32) -> [u8; 4] {
        let [_, red, green, blue] = hue.to_be_bytes();
        [red, green, blue, u8::MAX]
    }

    #[test]
    fn each_badge_has_its_hue_and_leaves_the_sign() {
        // The lower edge of the disc, where no shape lies.
        let spot = (45, 61);
        assert_eq!(at(Badge::None, spot.0, spot.1), opaque(ACCENT));
        assert_eq!(at(Badge::Running, spot.0, spot.1), opaque(RUNNING));
        assert_eq!(at(Badge::Waiting, spot.0, spot.1), opaque(WAITING));
        for badge in [Badge::None, Badge::Running, Badge::Waiting] {
            assert_eq!(
                at(badge, 8, 20),
                opaque(ACCENT),
                "the sign is there with {badge:?}"
            );
            assert_eq!(
                at(badge, 0, 0)[3],
                0,
                "the corner is round and shows what lies below"
            );
        }
    }

    #[test]
    fn badges_are_told_apart_without_their_hue() {
        let light = |badge| {
            of(badge)
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
