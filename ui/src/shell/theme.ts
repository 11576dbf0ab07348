import { create } from "zustand";

/** The user's choice; `system` follows the system's color scheme and contrast preference. */
export type ThemeChoice = "system" | "light" | "dark" | "contrast";

export const themeLabels: Record<ThemeChoice, string> = {
  system: "System",
  light: "Light",
  dark: "Dark",
  contrast: "High contrast",
};

const key = "baton.theme";

interface ThemeState {
  choice: ThemeChoice;
  choose: (choice: ThemeChoice) => void;
}

/**
 * The theme of this window, stored on this machine. `public/theme.js` applies it before the first
 * paint.
 */
export const useTheme = create<ThemeState>((set) => ({
  choice: stored(),
  choose: (choice) => {
    localStorage.setItem(key, choice);
    apply(choice);
    set({ choice });
  },
}));

/** Applies the theme now and whenever the system's contrast preference changes. Call once. */
export function followTheme(): void {
  apply(stored());
  moreContrast().addEventListener("change", () => apply(useTheme.getState().choice));
}

function stored(): ThemeChoice {
  const value = localStorage.getItem(key);
  return value !== null && value in themeLabels ? (value as ThemeChoice) : "system";
}

function apply(choice: ThemeChoice): void {
  const theme = choice === "system" && moreContrast().matches ? "contrast" : choice;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function moreContrast(): MediaQueryList {
  return matchMedia("(prefers-contrast: more)");
}
