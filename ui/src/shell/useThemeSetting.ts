import { useCallback, useEffect } from "react";
import type { Theme } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { type ThemeChoice, useTheme } from "./theme";
import { useSettingsChange } from "./useSettingsChange";

const stored: Record<ThemeChoice, Theme> = {
  system: "system",
  light: "light",
  dark: "dark",
  contrast: "high_contrast",
};

/** Converts a stored theme to the window's theme choice. */
function choiceOf(theme: Theme): ThemeChoice {
  return theme === "high_contrast" ? "contrast" : theme;
}

/**
 * The theme, and a function to change it. A change is applied immediately and then stored for all
 * windows.
 */
export function useThemeSetting(): { choice: ThemeChoice; choose: (choice: ThemeChoice) => void } {
  const { choice, choose: apply } = useTheme();
  const change = useSettingsChange();
  const choose = useCallback(
    (next: ThemeChoice) => {
      apply(next);
      void change({ theme: stored[next] });
    },
    [apply, change],
  );
  return { choice, choose };
}

/** Applies the stored theme when it is loaded, and when another window changes it. */
export function useStoredTheme(): void {
  const theme = useOperation("settings_get", {}).data?.theme;
  useEffect(() => {
    if (theme) useTheme.getState().choose(choiceOf(theme));
  }, [theme]);
}
