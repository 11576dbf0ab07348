import type { ReactElement } from "react";
import type { OnUnverified, PlanSettings } from "@/api/bindings";
import { Select } from "@/components/Select";
import { Switch } from "@/components/Switch";
import { AgentSelect } from "@/inspector/AgentSelect";
import { useEditor } from "./editor";

const hints: Record<OnUnverified, string> = {
  continue: "The node is done, and marked until you accept it.",
  fail: "The attempt has failed. It is tried again as often as the node says.",
};

/** How far the blueprint trusts its nodes: who reviews their work, and what becomes of work that is not verified. */
export function ReviewFields(): ReactElement {
  const { review, onUnverified } = useEditor((state) => state.plan.settings);
  const edit = useEditor((state) => state.edit);
  const set = (label: string, part: Partial<PlanSettings>) =>
    edit(label, (before) => ({ ...before, settings: { ...before.settings, ...part } }));
  return (
    <>
      <Select<OnUnverified>
        label="Work that is not verified"
        value={onUnverified}
        options={[
          { id: "continue", label: "Go on" },
          { id: "fail", label: "Fail the node" },
        ]}
        hint={hints[onUnverified]}
        onChange={(chosen) =>
          set("Change what becomes of unverified work", { onUnverified: chosen })
        }
      />
      <Switch
        label="Review acceptance criteria"
        hint="An agent reads the files after each node and says of every criterion whether it is met. Commands are run in any case."
        checked={review !== null}
        onChange={(on) =>
          set("Change review", { review: on ? { agent: null, model: null } : null })
        }
      />
      {review && (
        <AgentSelect
          label="Reviewer"
          value={review.agent}
          onChange={(agent) => set("Change reviewer", { review: { ...review, agent } })}
        />
      )}
    </>
  );
}
