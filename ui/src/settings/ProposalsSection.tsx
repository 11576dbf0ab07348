import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { NumberField } from "@/components/NumberField";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** Ten years, in days. */
const maxDays = 3650;
const defaultDays = { automatic: 7, asked: 30 };

/** After how many days proposals expire. */
export function ProposalsSection(): ReactElement {
  const { data } = useOperation("settings_get", {});
  const change = useSettingsChange();
  const days = data?.proposalDays ?? defaultDays;
  return (
    <SettingsSection
      title="Proposals"
      note="Proposals without a decision expire. They stay in the Inbox until you dismiss them."
    >
      <div className="flex flex-wrap gap-6 rounded-card border px-3 py-2.5">
        <NumberField
          label="Days until your proposals expire"
          value={days.asked}
          min={1}
          max={maxDays}
          onChange={(asked) => void change({ proposalDays: { ...days, asked } })}
        />
        <NumberField
          label="Days until automatic proposals expire"
          value={days.automatic}
          min={1}
          max={maxDays}
          onChange={(automatic) => void change({ proposalDays: { ...days, automatic } })}
        />
      </div>
    </SettingsSection>
  );
}
