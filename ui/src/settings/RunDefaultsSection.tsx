import type { ReactElement } from "react";
import type { Autonomy, RunDefaults } from "@/api/bindings";
import { autonomyHint, autonomyLevels } from "@/components/autonomyLevels";
import { formatDuration } from "@/components/duration";
import { NumberField } from "@/components/NumberField";
import { Select } from "@/components/Select";
import { TimeoutField } from "@/components/TimeoutField";
import { agentTimeout, commandTimeout, useRunDefaults } from "@/plan/runDefaults";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** Defaults for plans without their own settings. */
export function RunDefaultsSection(): ReactElement {
  const defaults = useRunDefaults();
  const change = useSettingsChange();
  const set = (part: Partial<RunDefaults>) =>
    void change({ runDefaults: { ...defaults, ...part } });

  return (
    <SettingsSection
      title="Run defaults"
      note="Defaults for blueprints that don't set their own. A run keeps the values it started with."
    >
      <div className="flex flex-col gap-4 rounded-card border px-3 py-2.5">
        <Select
          label="Autonomy level"
          options={autonomyLevels.map(({ id, label }) => ({ id, label }))}
          value={`${defaults.autonomy}`}
          hint={autonomyHint(defaults.autonomy)}
          onChange={(level) => set({ autonomy: Number(level) as Autonomy })}
        />
        <div className="grid grid-cols-2 gap-4 @xl:grid-cols-4">
          <NumberField
            label="Max parallel nodes"
            value={defaults.concurrency}
            min={1}
            max={1_000}
            onChange={(concurrency) => set({ concurrency })}
          />
          <TimeoutField
            label="Run time limit"
            placeholder="No limit"
            value={defaults.timeoutMs}
            onChange={(timeoutMs) => set({ timeoutMs })}
          />
          <TimeoutField
            label="Agent timeout"
            placeholder={formatDuration(agentTimeout)}
            value={defaults.agentTimeoutMs}
            onChange={(agentTimeoutMs) => set({ agentTimeoutMs })}
          />
          <TimeoutField
            label="Command timeout"
            placeholder={formatDuration(commandTimeout)}
            value={defaults.commandTimeoutMs}
            onChange={(commandTimeoutMs) => set({ commandTimeoutMs })}
          />
        </div>
      </div>
    </SettingsSection>
  );
}
