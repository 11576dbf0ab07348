// Sets the chosen theme before the first paint, so that a dark window never flashes white.
// The key and the values are those of src/shell/theme.ts; the policy forbids inline scripts, hence a file.
try {
  const chosen = localStorage.getItem("baton.theme");
  const theme =
    (chosen ?? "system") === "system" && matchMedia("(prefers-contrast: more)").matches
      ? "contrast"
      : chosen;
  if (theme === "light" || theme === "dark" || theme === "contrast") {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage is blocked: the theme of the system applies.
}
