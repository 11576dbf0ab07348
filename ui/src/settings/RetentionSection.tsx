import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { RetentionFields } from "@/components/RetentionFields";
import { keepAll } from "@/components/retentionText";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** Which runs are kept, for blueprints without a rule of their own. */
export function RetentionSection(): ReactElement {
  const { data } = useOperation("settings_get", {});
  const change = useSettingsChange();
  return (
    <SettingsSection
      title="Run history"
      note="Which runs are kept, for blueprints that don't set their own rule. Deleted runs can't be restored."
    >
      <div className="rounded-card border px-3 py-2.5">
        <RetentionFields
          value={data?.retention ?? keepAll}
          onChange={(retention) => void change({ retention })}
        />
      </div>
    </SettingsSection>
  );
}
