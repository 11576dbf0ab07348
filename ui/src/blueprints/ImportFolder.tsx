import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { ImportablePlan, Plan, PlanImportPreview } from "@/api/bindings";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { TextField } from "@/components/TextField";
import { paths } from "@/shell/paths";
import { ImportedNodes } from "./ImportedNodes";

type State =
  | { kind: "idle" }
  | { kind: "busy" }
  | {
      kind: "seen";
      plans: readonly ImportablePlan[];
      chosen: ReadonlySet<string>;
      /** The content of the first plan. */
      first: Plan;
    }
  | { kind: "refused"; faults: readonly string[] };

/**
 * Imports the task list of another program from its folder, after a preview. Several plans, such as
 * tags, can be chosen from.
 */
export function ImportFolder(): ReactElement {
  const backend = useBackend();
  const navigate = useNavigate();
  const [path, setPath] = useState("");
  const [state, setState] = useState<State>({ kind: "idle" });
  const input = { fileName: path.trim(), text: "", cwd: null, folder: true };

  async function attempt(work: () => Promise<void>) {
    setState({ kind: "busy" });
    try {
      await work();
    } catch (cause) {
      const { message, faults } = ApiError.from(cause);
      setState({ kind: "refused", faults: faults.length > 0 ? faults : [message] });
    }
  }
  const preview = () =>
    attempt(async () => {
      const seen = await backend.call("plan_look", input);
      const plans = plansOf(seen);
      const chosen = new Set(plans.map(({ name }) => name));
      setState({ kind: "seen", plans, chosen, first: seen.plan });
    });
  const bring = (plans: readonly ImportablePlan[], chosen: ReadonlySet<string>) =>
    attempt(async () => {
      const names = plans.map(({ name }) => name).filter((name) => chosen.has(name));
      const all = names.length === plans.length;
      const request = { ...input, ...(!all && { plans: names }) };
      const { plan, more = [] } = await backend.call("plan_bring", request);
      await navigate(more.length === 0 ? paths.blueprint(plan.plan.id) : paths.blueprints);
    });

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (state.kind === "seen") void bring(state.plans, state.chosen);
        else void preview();
      }}
    >
      <TextField
        label="Folder with a task list"
        hint="Task Master, spec-kit, OpenSpec, Backlog.md, beads, GitHub issues, Claude Code tasks, Kiro or rawko"
        mono
        value={path}
        onChange={(next) => {
          setPath(next);
          setState({ kind: "idle" });
        }}
      />
      {state.kind === "seen" && (
        <>
          <PlanChoice
            plans={state.plans}
            chosen={state.chosen}
            onChange={(chosen) => setState({ ...state, chosen })}
          />
          <ImportedNodes plan={state.first} />
        </>
      )}
      {state.kind === "refused" && (
        <ul role="alert" className="select-text break-words font-mono text-12 text-danger-fg">
          {state.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <Button
        type="submit"
        className="self-start"
        busy={state.kind === "busy"}
        disabled={path.trim() === "" || (state.kind === "seen" && state.chosen.size === 0)}
      >
        {state.kind === "seen" ? importLabel(state.chosen.size) : "Preview"}
      </Button>
    </form>
  );
}

function importLabel(count: number): string {
  return count === 1 ? "Import blueprint" : `Import ${formatCount(count, "blueprint")}`;
}

/** A plan file in the folder has no list of plans. */
function plansOf({ plans, plan, fate, warnings }: PlanImportPreview): readonly ImportablePlan[] {
  if (plans && plans.length > 0) return plans;
  const nodes = plan.nodes.length;
  return [{ name: "", title: plan.title, fate, nodes, inferred: 0, warnings }];
}

function PlanChoice({
  plans,
  chosen,
  onChange,
}: {
  plans: readonly ImportablePlan[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}): ReactElement {
  function toggle(name: string) {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  }
  return (
    <ul className="flex flex-col gap-2" aria-label="Blueprints in the folder">
      {plans.map((plan) => (
        <li key={plan.name}>
          <label className="flex items-baseline gap-2">
            <input
              type="checkbox"
              checked={chosen.has(plan.name)}
              onChange={() => toggle(plan.name)}
            />
            <span>
              {plan.title} <span className="text-muted">{summary(plan)}</span>
            </span>
          </label>
          <ul className="select-text break-words pl-6 text-12 text-muted">
            {plan.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const fates: Record<ImportablePlan["fate"], string> = {
  new: "new",
  changed: "imported before, changed since",
  same: "imported before, unchanged",
};

function summary({ nodes, inferred, fate }: ImportablePlan): string {
  const counts = [formatCount(nodes, "node")];
  if (inferred > 0) counts.push(formatCount(inferred, "inferred edge"));
  return [...counts, fates[fate]].join(", ");
}
