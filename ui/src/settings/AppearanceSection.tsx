import type { ReactElement } from "react";
import { type ThemeChoice, themeLabels } from "@/app/theme";
import { SegmentedControl } from "@/components/SegmentedControl";
import { SettingsSection } from "./SettingsSection";
import { useThemeSetting } from "./useThemeSetting";

const options = (Object.keys(themeLabels) as ThemeChoice[]).map((id) => ({
  id,
  label: themeLabels[id],
}));

/** How the window looks. */
export function AppearanceSection(): ReactElement {
  const { choice, choose } = useThemeSetting();
  return (
    <SettingsSection
      title="Appearance"
      note="High contrast follows the light or dark of the system."
    >
      <div>
        <SegmentedControl label="Theme" options={options} value={choice} onChange={choose} />
      </div>
    </SettingsSection>
  );
}
