import type { ReactElement } from "react";
import type { OnFailedCriterion, OnUnverified, PlanSettings } from "@/api/bindings";
import { AgentSelect } from "@/components/AgentSelect";
import { Select } from "@/components/Select";
import { Switch } from "@/components/Switch";
import { useEditor } from "@/plan/editor";

const hints: Record<OnUnverified, string> = {
  continue: "The node is done, but marked unverified until you accept it.",
  fail: "The attempt fails and is retried up to the node's retry limit.",
};

const criterionHints: Record<OnFailedCriterion, string> = {
  fail: "The attempt fails. Retries and the node's failure setting apply.",
  continue: "The node is done and unverified, and the run continues.",
};

/** Who reviews the work of nodes, and what happens with unverified work. */
export function ReviewFields(): ReactElement {
  const { review, onFailedCriterion, onUnverified } = useEditor((state) => state.plan.settings);
  const edit = useEditor((state) => state.edit);
  const set = (label: string, part: Partial<PlanSettings>) =>
    edit(label, (before) => ({ ...before, settings: { ...before.settings, ...part } }));
  return (
    <>
      <Select<OnFailedCriterion>
        label="When a criterion's command fails"
        value={onFailedCriterion}
        options={[
          { id: "fail", label: "Fail the node" },
          { id: "continue", label: "Continue as unverified" },
        ]}
        hint={criterionHints[onFailedCriterion]}
        onChange={(chosen) => set("Change failed criteria setting", { onFailedCriterion: chosen })}
      />
      <Select<OnUnverified>
        label="Other unverified work"
        value={onUnverified}
        options={[
          { id: "continue", label: "Continue" },
          { id: "fail", label: "Fail the node" },
        ]}
        hint={hints[onUnverified]}
        onChange={(chosen) => set("Change handling of unverified work", { onUnverified: chosen })}
      />
      <Switch
        label="Review acceptance criteria"
        hint="After each node, an agent reads the files and checks every criterion. Without a review, only criteria with commands are checked."
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
