import type { ReactElement } from "react";
import type { OnTakeover, PlanSettings } from "@/api/bindings";
import { Select } from "@/components/Select";
import { Switch } from "@/components/Switch";
import { useEditor } from "@/plan/editor";

const hints: Record<OnTakeover, string> = {
  continue: "The run resumes immediately.",
  verify:
    "Before new nodes start, the acceptance commands of finished nodes run again if files have changed. A node whose command fails is marked unverified.",
  review: "The run waits until you resume or stop it. Running sessions finish.",
};

/** Whether another executor may take over the run, and what happens then. */
export function TakeoverFields(): ReactElement {
  const { takeoverAllowed, onTakeover } = useEditor((state) => state.plan.settings);
  const edit = useEditor((state) => state.edit);
  const set = (label: string, part: Partial<PlanSettings>) =>
    edit(label, (before) => ({ ...before, settings: { ...before.settings, ...part } }));
  return (
    <>
      <Switch
        label="Allow takeover"
        hint="If the executor of a run has been silent for two minutes, another one in this data directory may continue the run."
        checked={takeoverAllowed}
        onChange={(allowed) => set("Change takeover", { takeoverAllowed: allowed })}
      />
      <Select<OnTakeover>
        label="After a takeover"
        value={onTakeover}
        options={[
          { id: "continue", label: "Continue" },
          { id: "verify", label: "Verify inherited work" },
          { id: "review", label: "Ask me" },
        ]}
        hint={hints[onTakeover]}
        onChange={(chosen) => set("Change takeover setting", { onTakeover: chosen })}
      />
    </>
  );
}
