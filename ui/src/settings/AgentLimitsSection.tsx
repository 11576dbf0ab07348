import type { ReactElement } from "react";
import { useOperation } from "@/api/queries";
import { AgentLimits } from "@/inspector/AgentLimits";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { SettingsSection } from "./SettingsSection";

/** The maximum number of parallel sessions per agent, over all runs. */
export function AgentLimitsSection(): ReactElement {
  const { data } = useOperation("settings_get", {});
  const change = useSettingsChange();
  return (
    <SettingsSection
      title="Agent limits"
      note="Limits count the sessions of all runs and executors in this data directory. Blueprints with a higher priority start first."
    >
      <div className="rounded-card border px-3 py-2.5">
        <AgentLimits
          limits={data?.agentConcurrency ?? {}}
          onChange={(agentConcurrency) => void change({ agentConcurrency })}
        />
      </div>
    </SettingsSection>
  );
}
