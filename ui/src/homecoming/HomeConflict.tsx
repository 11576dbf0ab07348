import type { ReactElement } from "react";
import { Link } from "react-router";
import type { Conflict, HomeSolver, Resolution, RunId } from "@/api/bindings";
import { MergeDetail } from "@/asks/MergeDetail";
import { Button } from "@/components/Button";
import { showToast } from "@/components/toasts";
import { paths } from "@/shell/paths";
import { useHomeAct } from "./useHome";

interface HomeConflictProps {
  run: RunId;
  conflict: Conflict;
  /** The branch that is made when it is settled; null: the work comes into the directory. */
  branch: string | null;
  solver: HomeSolver | null;
}

/** Work that does not fit with the directory: the files, and how it goes on. */
export function HomeConflict(props: HomeConflictProps): ReactElement {
  const { run, conflict, branch, solver } = props;
  const bring = useHomeAct("run_bring_home");
  const giveUp = useHomeAct("worktree_remove");
  const ask = useHomeAct("run_home_agent");
  const works = solver !== null && solver.state.state === "running";
  const failed = bring.error ?? ask.error ?? giveUp.error;
  const choices: { resolution: Resolution; label: string; hint: string }[] = [
    {
      resolution: "theirs",
      label: `Take ${conflict.theirs}`,
      hint: `Each file in conflict as ${conflict.theirs} left it; the other change to it is left out`,
    },
    {
      resolution: "ours",
      label: `Take ${conflict.ours}`,
      hint: `Each file in conflict as ${conflict.ours} has it; the other change to it is left out`,
    },
    {
      resolution: "by_hand",
      label: branch === null ? "Bring home with my files" : "Make the branch with my files",
      hint: "The files in the worktree count as they are now",
    },
  ];
  return (
    <section aria-label="Conflict" className="flex flex-col gap-3 rounded-card border p-3">
      <h3 dir="auto" className="break-words font-semibold">
        {conflict.theirs} does not fit with {conflict.ours}
      </h3>
      <MergeDetail conflict={conflict} />
      {solver && <SolverLine solver={solver} />}
      {failed && (
        <p role="alert" className="select-text break-words text-danger-fg">
          Nothing was brought home. {failed}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-1.5">
        <Button
          size="small"
          disabled={works}
          busy={giveUp.isPending}
          title="Removes the worktree. What was changed in it is kept in a commit below refs/baton"
          onClick={() => giveUp.act({ place: conflict.place, evenBroken: false })}
        >
          Give up the merge
        </Button>
        <Button
          size="small"
          disabled={works}
          busy={ask.isPending}
          title="An agent works in the worktree; you look at the files and bring them home"
          onClick={() => ask.act({ run, agent: null })}
        >
          Let an agent settle it
        </Button>
        {choices.map(({ resolution, label, hint }) => (
          <Button
            key={resolution}
            size="small"
            kind={resolution === "by_hand" ? "primary" : "secondary"}
            title={hint}
            disabled={works}
            busy={bring.isPending && bring.variables?.resolution === resolution}
            onClick={() =>
              bring.act({ run, nodes: null, branch: null, resolution }, ({ conflict: next }) => {
                const place = branch === null ? "in your directory" : `on the branch ${branch}`;
                if (!next) showToast({ kind: "info", title: `The work is ${place}` });
              })
            }
          >
            <span className="max-w-56 truncate">{label}</span>
          </Button>
        ))}
      </div>
    </section>
  );
}

function SolverLine({ solver }: { solver: HomeSolver }): ReactElement {
  const words =
    solver.state.state === "running"
      ? "An agent is settling it."
      : solver.state.state === "completed"
        ? "An agent has worked on it. Look at the files, then bring them home."
        : "The agent did not come to its end.";
  return (
    <p role="status" className="text-muted">
      {words}{" "}
      <Link
        to={paths.blueprintAt(solver.plan, { run: solver.run })}
        className="text-accent-fg underline"
      >
        Show its work
      </Link>
    </p>
  );
}
