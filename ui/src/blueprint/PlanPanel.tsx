import { type ReactElement, useState } from "react";
import type { Node, Plan, PlanSettings } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { AgentSelect } from "@/components/AgentSelect";
import { autonomyHint, autonomyLabel, autonomyLevels } from "@/components/autonomyLevels";
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
import { CollapsibleSection } from "@/inspector/CollapsibleSection";
import { usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { RisksAndContext } from "@/plan/RisksAndContext";
import {
  agentTimeout,
  autonomyOption,
  commandTimeout,
  limitText,
  parseAutonomyOption,
  useRunDefaults,
} from "@/plan/runDefaults";
import { useEnrichment } from "@/shell/enrichments";
import { readTextDraft } from "@/shell/useTextDraft";
import { AgentToolFields } from "./AgentToolFields";
import { ApprovalFields } from "./ApprovalFields";
import { changedSettings, isAboutAdvanced, opensAdvanced } from "./advancedSettings";
import { ErrorHandlerField } from "./ErrorHandlerField";
import { notesDraftName, PlanNotesField } from "./PlanNotesField";
import { RetentionSettings } from "./RetentionSettings";
import { ReviewFields } from "./ReviewFields";
import { TagsField } from "./TagsField";
import { TakeoverFields } from "./TakeoverFields";
import { WorktreeFields } from "./WorktreeFields";

/** The settings of the plan as a whole: what is always needed, and the rest folded. */
export function PlanPanel(): ReactElement {
  const plan = useEditor((state) => state.plan);
  const edit = useEditor((state) => state.edit);
  const set = useSettingsEdit();
  const change = (label: string, key: string, part: Partial<Plan>) =>
    edit(label, (before) => ({ ...before, ...part }), key);

  return (
    <div className="flex flex-col">
      <div className="flex flex-col gap-4 p-4">
        <div>
          <h2 className="font-semibold">Blueprint</h2>
          <p className="text-12 text-faint">Select a node to see and edit what it does.</p>
        </div>
        <TextField
          label="Title"
          dir="auto"
          value={plan.title}
          maxLength={500}
          error={plan.title.trim() === "" ? "Enter a title." : undefined}
          onChange={(title) => change("Rename blueprint", "plan.title", { title })}
        />
        <TextArea
          label="Goal"
          dir="auto"
          placeholder="What should be true when it's done?"
          value={plan.description}
          onChange={(description) => change("Change goal", "plan.description", { description })}
        />
        <DirectoryField
          value={plan.cwd}
          onChange={(cwd) => change("Change directory", "plan.cwd", { cwd })}
        />
        <AgentSelect
          teams
          label="Default agent"
          needed={plan.nodes.some(inheritsPlanSettings)}
          value={plan.settings.agent ?? null}
          onChange={(agent) => set("Change default agent", "plan.agent", { agent })}
        />
        <RisksAndContext plan={plan} />
      </div>
      <Advanced key={plan.id} />
    </div>
  );
}

/** The settings that few plans change. Their names are shown while they are folded. */
function Advanced(): ReactElement {
  const view = useEditor((state) => state.view);
  const plan = useEditor((state) => state.plan);
  const problems = useEditor((state) => state.problems);
  const { data: grants = [] } = useOperation("grants_list", { plan: plan.id });
  const { enrichment } = useEnrichment("plan", plan.id);
  const [unsavedNotes] = useState(() => readTextDraft(notesDraftName(plan.id)) !== undefined);
  const choosingErrorHandler = usePage((state) => state.choosingErrorHandler);
  const changed = changedSettings(plan.settings, {
    ...view,
    hasGrants: grants.length > 0,
    hasModel: (plan.origin.executorModel ?? "") !== "",
    // Notes that aren't saved yet are saved once their field is shown.
    hasNotes: enrichment.notes.trim() !== "" || unsavedNotes,
  });
  return (
    <CollapsibleSection
      title="Advanced"
      summary={changed.join(", ")}
      open={changed.some(opensAdvanced) || problems.some(isAboutAdvanced)}
      remember="plan.advanced"
      reveal={choosingErrorHandler}
    >
      <AdvancedFields />
    </CollapsibleSection>
  );
}

function AdvancedFields(): ReactElement {
  const plan = useEditor((state) => state.plan);
  const problems = useEditor((state) => state.problems);
  const defaults = useRunDefaults();
  const edit = useEditor((state) => state.edit);
  const set = useSettingsEdit();
  return (
    <>
      <Select
        label="Autonomy level"
        options={[
          { id: "settings", label: `Default from Settings: ${autonomyLabel(defaults.autonomy)}` },
          ...autonomyLevels.map(({ id, label }) => ({ id, label })),
        ]}
        value={autonomyOption(plan.settings.autonomy)}
        hint={autonomyHint(plan.settings.autonomy ?? defaults.autonomy)}
        onChange={(level) =>
          set("Change autonomy level", "plan.autonomy", {
            autonomy: parseAutonomyOption(level),
          })
        }
      />
      <TextField
        label="Default model"
        dir="auto"
        placeholder="Chosen by the agent"
        value={plan.origin.executorModel ?? ""}
        onChange={(model) =>
          edit(
            "Change default model",
            (before) => ({
              ...before,
              origin: { ...before.origin, executorModel: model === "" ? null : model },
            }),
            "plan.model",
          )
        }
      />
      <AgentToolFields plan={plan.id} settings={plan.settings} onChange={set} />
      <OptionalNumberField
        label="Max parallel nodes"
        hint="How many nodes can run at the same time, 1 to 1,000. Leave empty to use the default from Settings."
        placeholder={String(defaults.concurrency)}
        value={plan.settings.concurrency ?? null}
        min={1}
        max={1_000}
        onChange={(concurrency) => set("Change max parallel nodes", undefined, { concurrency })}
      />
      <AgentLimits
        limits={plan.settings.agentConcurrency}
        onChange={(agentConcurrency, key) =>
          set("Change max parallel sessions", key, { agentConcurrency })
        }
      />
      <TimeoutField
        label="Run time limit"
        placeholder={limitText(defaults.timeoutMs)}
        hint="For example, “2h”. A run that takes longer is stopped and fails. Leave empty to use the default from Settings."
        value={plan.settings.timeoutMs}
        onChange={(timeoutMs) => set("Change time limit", undefined, { timeoutMs })}
      />
      <div className="grid grid-cols-2 gap-2">
        <TimeoutField
          label="Agent timeout"
          placeholder={formatDuration(defaults.agentTimeoutMs ?? agentTimeout)}
          value={plan.settings.agentTimeoutMs ?? null}
          onChange={(agentTimeoutMs) => set("Change agent timeout", undefined, { agentTimeoutMs })}
        />
        <TimeoutField
          label="Command timeout"
          placeholder={formatDuration(defaults.commandTimeoutMs ?? commandTimeout)}
          value={plan.settings.commandTimeoutMs ?? null}
          onChange={(commandTimeoutMs) =>
            set("Change command timeout", undefined, { commandTimeoutMs })
          }
        />
      </div>
      <NumberField
        label="Run retries"
        hint="How many times a failed run restarts from its failed nodes, 0 to 100"
        value={plan.settings.planRetries}
        min={0}
        max={100}
        onChange={(planRetries) => set("Change run retries", "plan.retries", { planRetries })}
      />
      <ErrorHandlerField />
      <BudgetFields
        budget={plan.settings.budget}
        error={problems.find(({ problem }) => problem.problem === "empty_budget")?.sentence}
        onChange={(budget) => set("Change budget", undefined, { budget })}
      />
      <ApprovalFields />
      <TakeoverFields />
      <ReviewFields />
      <WorktreeFields />
      <RetentionSettings />
      <TagsField
        tags={plan.settings.tags}
        onChange={(tags) => set("Change tags", "plan.tags", { tags })}
      />
      <PlanNotesField key={plan.id} plan={plan.id} />
    </>
  );
}

function useSettingsEdit() {
  const edit = useEditor((state) => state.edit);
  return (label: string, key: string | undefined, part: Partial<PlanSettings>) =>
    edit(label, (before) => ({ ...before, settings: { ...before.settings, ...part } }), key);
}

/** Returns whether a node uses the default agent of the plan. */
function inheritsPlanSettings({ kind }: Node): boolean {
  return (kind.kind === "agent" || kind.kind === "llm_decision") && kind.agent === null;
}
