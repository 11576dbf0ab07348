//! The colors of states and of the canvas, the same as in the interface.

/// A color for the light and the dark theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color {
    light: &'static str,
    dark: &'static str,
}

impl Color {
    pub(crate) const fn new(light: &'static str, dark: &'static str) -> Self {
        Self { light, dark }
    }

    pub(crate) fn hex(self, dark: bool) -> &'static str {
        if dark { self.dark } else { self.light }
    }
}

/// The appearance of a state: its color, its mark and its name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StateStyle {
    pub(crate) state: &'static str,
    pub(crate) hue: Color,
    pub(crate) tint: Color,
    /// The SVG path of its mark, in a box of 16 by 16.
    pub(crate) mark: &'static str,
}

const RING: &str = "M2.75 8a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0-10.5 0";

/// The states with their colors (`ui/src/design/tokens.css`) and marks, the same as in the
/// interface.
pub(crate) const STATE_STYLES: [StateStyle; 8] = [
    state_style(
        "pending",
        ("#5c6472", "#a3abb8"),
        ("#eff1f4", "#22262e"),
        RING,
    ),
    state_style(
        "running",
        ("#1b59c7", "#74b0ff"),
        ("#e7f0fe", "#14274a"),
        "M8 2.75a5.25 5.25 0 0 1 0 10.5",
    ),
    state_style(
        "waiting",
        ("#835400", "#f2b83f"),
        ("#fdf2d9", "#35290c"),
        "M2.75 8a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0-10.5 0M8 4.9V8l2.1 1.3",
    ),
    state_style(
        "done",
        ("#17703a", "#5fcd85"),
        ("#e5f5ea", "#122f1d"),
        "m3.2 8.4 3.1 3.1 6.5-7",
    ),
    state_style(
        "failed",
        ("#b5330c", "#ff8a6b"),
        ("#fdebe5", "#3a1b13"),
        "m4.2 4.2 7.6 7.6m0-7.6-7.6 7.6",
    ),
    state_style(
        "interrupted",
        ("#7634a8", "#cca2f5"),
        ("#f4ebfb", "#2c1d40"),
        "M8.9 2.8a5.25 5.25 0 0 1 3.9 7.3M7.1 13.2a5.25 5.25 0 0 1-3.9-7.3",
    ),
    state_style(
        "blocked",
        ("#373d48", "#c5cad3"),
        ("#e7e9ed", "#262a32"),
        "M3.4 7h9.2v6.4H3.4zM5.4 7V5.2a2.6 2.6 0 0 1 5.2 0V7",
    ),
    state_style(
        "skipped",
        ("#626a78", "#929aa8"),
        ("#f5f6f8", "#1b1e24"),
        "M3.8 8h8.4",
    ),
];

/// Colors of the canvas and of texts.
pub(crate) const CANVAS: Color = Color::new("#f4f5f8", "#0e1014");
pub(crate) const SURFACE: Color = Color::new("#ffffff", "#14161b");
pub(crate) const LINE: Color = Color::new("#e3e6ec", "#272b34");
pub(crate) const LINE_STRONG: Color = Color::new("#838b9b", "#69717f");
pub(crate) const TEXT: Color = Color::new("#16181d", "#e7e9ed");
pub(crate) const MUTED: Color = Color::new("#4d5562", "#a7aebb");
pub(crate) const FAINT: Color = Color::new("#606876", "#939baa");
pub(crate) const ACCENT: Color = Color::new("#4f46e5", "#5a55e6");

impl StateStyle {
    pub(crate) fn for_state(state: &str) -> Option<&'static Self> {
        STATE_STYLES.iter().find(|style| style.state == state)
    }
}

const fn state_style(
    state: &'static str,
    hue: (&'static str, &'static str),
    tint: (&'static str, &'static str),
    mark: &'static str,
) -> StateStyle {
    StateStyle {
        state,
        hue: Color::new(hue.0, hue.1),
        tint: Color::new(tint.0, tint.1),
        mark,
    }
}
