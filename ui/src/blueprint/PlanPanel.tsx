import type { ReactElement } from "react";
import type { Node, Plan, PlanSettings } from "@/api/bindings";
import { AgentSelect } from "@/components/AgentSelect";
import { autonomyHint, autonomyLabel, autonomyLevels } from "@/components/autonomyWords";
import { DirectoryField } from "@/components/DirectoryField";
import { formatDuration } from "@/components/duration";
import { NumberField } from "@/components/NumberField";
import { OptionalNumberField } from "@/components/OptionalNumberField";
import { Select } from "@/components/Select";
import { TextArea } from "@/components/TextArea";
import { TextField } from "@/components/TextField";
import { TimeoutField } from "@/components/TimeoutField";
import { AgentLimits } from "@/inspector/AgentLimits";
import { BudgetFields } from "@/inspector/BudgetFields";
import { useEditor } from "@/plan/editor";
import {
  agentTimeout,
  asWritten,
  commandTimeout,
  limitText,
  readAutonomy,
  useRunDefaults,
} from "@/plan/runDefaults";
import { ApprovalFields } from "./ApprovalFields";
import { PlanNotes } from "./PlanNotes";
import { PlanTools } from "./PlanTools";
import { ReviewFields } from "./ReviewFields";
import { TagsField } from "./TagsField";
import { TakeoverFields } from "./TakeoverFields";
import { WorktreeFields } from "./WorktreeFields";

/** What belongs to the plan as a whole: goal, directory, how it is run, and the notes on it. */
export function PlanPanel(): ReactElement {
  const plan = useEditor((state) => state.plan);
  const edit = useEditor((state) => state.edit);
  const problems = useEditor((state) => state.problems);
  const defaults = useRunDefaults();
  const change = (label: string, key: string, part: Partial<Plan>) =>
    edit(label, (before) => ({ ...before, ...part }), key);
  const set = (label: string, key: string | undefined, part: Partial<PlanSettings>) =>
    edit(label, (before) => ({ ...before, settings: { ...before.settings, ...part } }), key);

  return (
    <div className="flex flex-col gap-4 p-4">
      <div>
        <h2 className="font-semibold">Plan</h2>
        <p className="text-12 text-faint">Select a node to see and edit what it does.</p>
      </div>
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
      <Select
        label="Questions during a run"
        options={[
          { id: "settings", label: `As in Settings: ${autonomyLabel(defaults.autonomy)}` },
          ...autonomyLevels.map(({ id, label }) => ({ id, label })),
        ]}
        value={asWritten(plan.settings.autonomy)}
        hint={autonomyHint(plan.settings.autonomy ?? defaults.autonomy)}
        onChange={(level) =>
          set("Change questions during a run", "plan.autonomy", { autonomy: readAutonomy(level) })
        }
      />
      <PlanTools plan={plan.id} settings={plan.settings} onChange={set} />
      <OptionalNumberField
        label="Nodes at once"
        hint="How many nodes may run at the same time, 1 to 1,000; empty for the default of the settings."
        placeholder={String(defaults.concurrency)}
        value={plan.settings.concurrency ?? null}
        least={1}
        most={1_000}
        onChange={(concurrency) => set("Change nodes at once", undefined, { concurrency })}
      />
      <AgentSelect
        teams
        label="Agent of nodes that name none"
        needed={plan.nodes.some(isLeftToPlan)}
        value={plan.settings.agent ?? null}
        onChange={(agent) => set("Change agent", "plan.agent", { agent })}
      />
      <AgentLimits
        limits={plan.settings.agentConcurrency}
        onChange={(agentConcurrency, key) =>
          set("Change sessions at once", key, { agentConcurrency })
        }
      />
      <TimeoutField
        label="Time limit of a run"
        placeholder={limitText(defaults.timeoutMs)}
        hint="Such as “2h”. A run that takes longer is stopped and fails; empty for the default of the settings."
        value={plan.settings.timeoutMs}
        onChange={(timeoutMs) => set("Change time limit", undefined, { timeoutMs })}
      />
      <div className="grid grid-cols-2 gap-2">
        <TimeoutField
          label="Timeout of agents"
          placeholder={formatDuration(defaults.agentTimeoutMs ?? agentTimeout)}
          value={plan.settings.agentTimeoutMs ?? null}
          onChange={(agentTimeoutMs) =>
            set("Change timeout of agents", undefined, { agentTimeoutMs })
          }
        />
        <TimeoutField
          label="Timeout of commands"
          placeholder={formatDuration(defaults.commandTimeoutMs ?? commandTimeout)}
          value={plan.settings.commandTimeoutMs ?? null}
          onChange={(commandTimeoutMs) =>
            set("Change timeout of commands", undefined, { commandTimeoutMs })
          }
        />
      </div>
      <NumberField
        label="Run retries"
        hint="How often a failed run starts again from its failed nodes, 0 to 100"
        value={plan.settings.planRetries}
        least={0}
        most={100}
        onChange={(planRetries) => set("Change run retries", "plan.retries", { planRetries })}
      />
      <BudgetFields
        budget={plan.settings.budget}
        error={problems.find(({ problem }) => problem.problem === "empty_budget")?.sentence}
        onChange={(budget) => set("Change budget of the plan", undefined, { budget })}
      />
      <ApprovalFields />
      <TakeoverFields />
      <ReviewFields />
      <WorktreeFields />
      <TagsField
        tags={plan.settings.tags}
        onChange={(tags) => set("Change tags", "plan.tags", { tags })}
      />
      <PlanNotes key={plan.id} plan={plan.id} />
    </div>
  );
}

/** Whether a node takes the agent that the plan names. */
function isLeftToPlan({ kind }: Node): boolean {
  return (kind.kind === "agent" || kind.kind === "llm_decision") && kind.agent === null;
}
