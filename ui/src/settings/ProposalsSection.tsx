import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { NumberField } from "@/components/NumberField";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** Ten years. */
const maxDays = 3650;
const defaultDays = { automatic: 7, asked: 30 };

/** For how many days what planners propose waits for the person. */
export function ProposalsSection(): ReactElement {
  const { data } = useOperation("settings_get", {});
  const change = useSettingsChange();
  const days = data?.proposalDays ?? defaultDays;
  return (
    <SettingsSection
      title="Proposals"
      note="What nobody decides on in time expires. It stays in the Inbox until you put it away."
    >
      <div className="flex flex-wrap gap-6 rounded-card border px-3 py-2.5">
        <NumberField
          label="Days for what you asked for"
          value={days.asked}
          min={1}
          max={maxDays}
          onChange={(asked) => void change({ proposalDays: { ...days, asked } })}
        />
        <NumberField
          label="Days for what Baton asked for by itself"
          value={days.automatic}
          min={1}
          max={maxDays}
          onChange={(automatic) => void change({ proposalDays: { ...days, automatic } })}
        />
      </div>
    </SettingsSection>
  );
}
