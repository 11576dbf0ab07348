import { type FormEvent, type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { TextArea } from "@/components/TextArea";
import { defaultPlanner, PlannerFields } from "@/planner/PlannerFields";
import { paths } from "@/shell/paths";
import { useTextDraft } from "@/shell/useTextDraft";
import { ActionError } from "./ActionError";
import { DirectoryPicker } from "./DirectoryPicker";

/** Asks for a goal, from which an agent plans the blueprint. */
export function GenerateForm(): ReactElement {
  const agents = useOperation("agents_list", {});
  const noAgents = agents.data && !agents.data.some(({ path }) => path !== null);
  return noAgents ? <NoAgents /> : <GoalForm />;
}

function GoalForm(): ReactElement {
  const navigate = useNavigate();
  const generate = useMutationOperation("plan_generate");
  const [goal, setGoal, discardGoal] = useTextDraft("generate/goal");
  const [constraints, setConstraints, discardConstraints] = useTextDraft("generate/constraints");
  const [cwd, setCwd] = useState<string | null>(null);
  const [planner, setPlanner] = useState(defaultPlanner);
  const ready = goal.trim() !== "" && Boolean(cwd?.trim());

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!ready || generate.isPending) return;
    generate.mutate(
      {
        goal: goal.trim(),
        cwd: cwd?.trim() ?? "",
        agent: planner.agent,
        model: planner.model.trim() || null,
        constraints: constraints
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean),
      },
      {
        onSuccess: ({ summary }) => {
          discardGoal();
          discardConstraints();
          void navigate(paths.proposal(summary.id));
        },
      },
    );
  }

  return (
    <form onSubmit={submit} className="flex max-w-140 flex-col gap-4">
      <TextArea
        label="Goal"
        autoFocus
        rows={5}
        placeholder="Add rate limiting to the public API, with tests and a note in the docs"
        hint="An agent reads the directory, changes nothing, and proposes a blueprint. Nothing runs until you accept and approve it."
        value={goal}
        onChange={setGoal}
      />
      <DirectoryPicker value={cwd} onChange={setCwd} />
      <TextArea
        label="Constraints"
        rows={2}
        placeholder="Do not touch the database schema"
        hint="One per line. Every node sees them."
        value={constraints}
        onChange={setConstraints}
      />
      <PlannerFields value={planner} onChange={setPlanner} />
      <ActionError title="Couldn't start the planner" error={generate.error} />
      <div>
        <Button type="submit" kind="primary" busy={generate.isPending} disabled={!ready}>
          Generate blueprint
        </Button>
      </div>
    </form>
  );
}

function NoAgents(): ReactElement {
  return (
    <EmptyState
      title="No agent installed"
      actions={
        <>
          <ButtonLink to={paths.newBlueprintFrom("template")}>Choose template</ButtonLink>
          <ButtonLink to={paths.newBlueprintFrom("import")}>Import plan file</ButtonLink>
          <ButtonLink to={paths.settings}>Open settings</ButtonLink>
        </>
      }
    >
      A coding agent such as Claude Code, Codex or Gemini plans the blueprint. Install one, or start
      from a template or a plan file. Command nodes need no agent.
    </EmptyState>
  );
}
