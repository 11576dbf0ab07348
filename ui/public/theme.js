// Sets the chosen theme before the first paint, so that a dark window never flashes white.
// The key and the values are those of src/app/theme.ts; the policy forbids inline scripts, hence a file.
try {
  const theme = localStorage.getItem("baton.theme");
  if (theme === "light" || theme === "dark" || theme === "contrast") {
    document.documentElement.dataset.theme = theme;
  }
} catch {
  // Storage is blocked: the theme of the system applies.
}
