//! Tests of pictures, with the fonts of the program alone.

use std::sync::Arc;

use resvg::tiny_skia::Pixmap;

use super::{own_fonts, png_with, scale};

fn drawn(svg: &str) -> Pixmap {
    let png = png_with(svg, &Arc::new(own_fonts())).expect("a picture");
    Pixmap::decode_png(&png).expect("a PNG file")
}

fn svg(content: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"40\">{content}</svg>")
}

/// How many pixels are neither transparent nor `background`.
fn inked(picture: &Pixmap) -> usize {
    let pixels = picture.pixels().iter();
    pixels.filter(|pixel| pixel.alpha() > 100).count()
}

#[test]
fn text_is_drawn_on_a_machine_without_fonts() {
    for family in [
        "'Inter Variable', Inter, system-ui, sans-serif",
        "'JetBrains Mono Variable', 'JetBrains Mono', ui-monospace, monospace",
        "A font that nobody has",
    ] {
        for text in ["Release", "Žluťoučký", "Έκδοση", "Выпуск"] {
            let text = format!(
                "<text x=\"4\" y=\"24\" font-family=\"{family}\" font-size=\"14\">{text}</text>"
            );
            let picture = drawn(&svg(&text));
            assert_eq!((picture.width(), picture.height()), (200, 80));
            assert!(inked(&picture) > 100, "{text}: {}", inked(&picture));
        }
    }
    let wide = |letters: &str| {
        let text = format!(
            "<text x=\"4\" y=\"24\" font-family=\"Inter\" font-size=\"14\">{letters}</text>"
        );
        inked(&drawn(&svg(&text)))
    };
    assert!(wide("MMMM") > wide("iiii"), "letters have their own shapes");
}

#[test]
fn bold_text_has_its_own_font() {
    let text = |weight: &str| {
        let text = format!(
            "<text x=\"4\" y=\"24\" font-family=\"Inter\" font-weight=\"{weight}\">Release</text>"
        );
        inked(&drawn(&svg(&text)))
    };
    assert!(text("600") > text("400"));
}

#[test]
fn large_pictures_are_scaled_down() {
    assert_eq!(scale(100.0, 40.0), 2.0);
    for (width, height) in [(100_000.0_f32, 20.0), (50_000.0, 50_000.0), (1.0, 90_000.0)] {
        let scale = scale(width, height);
        assert!(width.max(height) * scale <= 8192.5, "{width} by {height}");
        assert!(
            width * height * scale * scale <= 32_000_100.0,
            "{width} by {height}"
        );
    }
}

#[test]
fn what_is_no_image_is_an_error() {
    let fonts = Arc::new(own_fonts());
    assert!(png_with("<html>", &fonts).is_err());
    assert!(png_with("", &fonts).is_err());
}
