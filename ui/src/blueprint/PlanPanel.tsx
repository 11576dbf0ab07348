import type { ReactElement } from "react";
import type { Autonomy, Plan, PlanSettings } from "@/api/bindings";
import { Select } from "@/components/Select";
import { TextArea } from "@/components/TextArea";
import { TextField } from "@/components/TextField";
import { TimeoutField } from "@/inspector/TimeoutField";
import { DirectoryField } from "./DirectoryField";
import { useEditor } from "./editor";
import { NumberField } from "./NumberField";
import { PlanNotes } from "./PlanNotes";
import { TagsField } from "./TagsField";

const autonomies: { id: `${Autonomy}`; label: string }[] = [
  { id: "0", label: "Ask for every guarded tool call" },
  { id: "1", label: "Approval covers the nodes as approved" },
  { id: "2", label: "Ask for tools outside a node's list" },
  { id: "3", label: "Refuse tools outside a node's list" },
  { id: "4", label: "Never ask" },
];

/** What belongs to the plan as a whole: goal, directory, how it is run, and the notes on it. */
export function PlanPanel(): ReactElement {
  const plan = useEditor((state) => state.plan);
  const edit = useEditor((state) => state.edit);
  const change = (label: string, key: string, part: Partial<Plan>) =>
    edit(label, (before) => ({ ...before, ...part }), key);
  const set = (label: string, key: string | undefined, part: Partial<PlanSettings>) =>
    edit(label, (before) => ({ ...before, settings: { ...before.settings, ...part } }), key);

  return (
    <div className="flex flex-col gap-4 p-4">
      <h2 className="font-semibold">Plan</h2>
      <TextField
        label="Title"
        value={plan.title}
        maxLength={500}
        error={plan.title.trim() === "" ? "A plan needs a title." : undefined}
        onChange={(title) => change("Rename blueprint", "plan.title", { title })}
      />
      <TextArea
        label="Goal"
        placeholder="What shall be true when the plan is done"
        value={plan.description}
        onChange={(description) => change("Change goal", "plan.description", { description })}
      />
      <DirectoryField
        value={plan.cwd}
        onChange={(cwd) => change("Change directory", "plan.cwd", { cwd })}
      />
      <NumberField
        label="Nodes at once"
        hint="How many nodes may run at the same time, 1 to 1,000"
        value={plan.settings.concurrency}
        least={1}
        most={1_000}
        onChange={(concurrency) => set("Change nodes at once", "plan.concurrency", { concurrency })}
      />
      <TimeoutField
        label="Time limit of a run"
        placeholder="No limit"
        hint="Such as “2 h”. A run that takes longer is stopped and fails; empty for no limit."
        value={plan.settings.timeoutMs}
        onChange={(timeoutMs) => set("Change time limit", undefined, { timeoutMs })}
      />
      <Select
        label="Questions during a run"
        options={autonomies}
        value={`${plan.settings.autonomy}`}
        onChange={(level) =>
          set("Change questions during a run", "plan.autonomy", {
            autonomy: Number(level) as Autonomy,
          })
        }
      />
      <TagsField
        tags={plan.settings.tags}
        onChange={(tags) => set("Change tags", "plan.tags", { tags })}
      />
      <PlanNotes key={plan.id} plan={plan.id} />
    </div>
  );
}
