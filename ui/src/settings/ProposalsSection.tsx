import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { NumberField } from "@/components/NumberField";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** Ten years. */
const most = 3650;
const usual = { automatic: 7, asked: 30 };

/** For how many days what planners propose waits for the person. */
export function ProposalsSection(): ReactElement {
  const { data } = useOperation("settings_get", {});
  const change = useSettingsChange();
  const days = data?.proposalDays ?? usual;
  return (
    <SettingsSection
      title="Proposals"
      note="What nobody decides on in time expires. It stays in the Inbox until you put it away."
    >
      <div className="flex flex-wrap gap-6 rounded-card border px-3 py-2.5">
        <NumberField
          label="Days for what you asked for"
          value={days.asked}
          least={1}
          most={most}
          onChange={(asked) => void change({ proposalDays: { ...days, asked } })}
        />
        <NumberField
          label="Days for what Baton asked for by itself"
          value={days.automatic}
          least={1}
          most={most}
          onChange={(automatic) => void change({ proposalDays: { ...days, automatic } })}
        />
      </div>
    </SettingsSection>
  );
}
