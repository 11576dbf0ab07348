import { Contrast, Monitor, Moon, Sun } from "lucide-react";
import type { ReactElement } from "react";
import { IconButton } from "@/components/IconButton";
import { Menu } from "@/components/Menu";
import { type ThemeChoice, themeLabels } from "@/shell/theme";
import { useThemeSetting } from "@/shell/useThemeSetting";

const icons: Record<ThemeChoice, ReactElement> = {
  system: <Monitor />,
  light: <Sun />,
  dark: <Moon />,
  contrast: <Contrast />,
};

/** The theme menu in the rail. The settings page offers the same choices. */
export function ThemeMenu(): ReactElement {
  const { choice, choose } = useThemeSetting();
  const choices = Object.keys(themeLabels) as ThemeChoice[];

  return (
    <Menu
      side="right"
      align="end"
      entries={choices.map((theme) => ({
        kind: "choice",
        label: themeLabels[theme],
        icon: icons[theme],
        chosen: theme === choice,
        onSelect: () => choose(theme),
      }))}
    >
      <IconButton label="Theme" icon={icons[choice]} side="right" className="size-8" />
    </Menu>
  );
}
