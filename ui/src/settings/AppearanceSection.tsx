import type { ReactElement } from "react";
import { SegmentedControl } from "@/components/SegmentedControl";
import { type TextSize, textSizes, useTextSize } from "@/shell/textSize";
import { type ThemeChoice, themeLabels } from "@/shell/theme";
import { useThemeSetting } from "@/shell/useThemeSetting";
import { SettingsSection } from "./SettingsSection";

const options = (Object.keys(themeLabels) as ThemeChoice[]).map((id) => ({
  id,
  label: themeLabels[id],
}));

const sizes = textSizes.map((size) => ({ id: String(size), label: `${size}%` }));

/** Theme and text size. */
export function AppearanceSection(): ReactElement {
  const { choice, choose } = useThemeSetting();
  const text = useTextSize();
  return (
    <SettingsSection
      title="Appearance"
      note="High contrast follows the system's light or dark mode. Text size doesn't affect the graph, which has its own zoom."
    >
      <div className="flex flex-col items-start gap-2">
        <SegmentedControl label="Theme" options={options} value={choice} onChange={choose} />
        <SegmentedControl
          label="Text size"
          options={sizes}
          value={String(text.size)}
          onChange={(size) => text.choose(Number(size) as TextSize)}
        />
      </div>
    </SettingsSection>
  );
}
