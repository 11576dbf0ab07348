import type { ReactElement } from "react";
import { Link } from "react-router";
import type { Conflict, ConflictAgentRun, Resolution, RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { showToast } from "@/components/toasts";
import { MergeDetail } from "@/pending/MergeDetail";
import { paths } from "@/shell/paths";
import { useMergeBackMutation } from "./useMergeBack";

interface MergeBackConflictProps {
  run: RunId;
  conflict: Conflict;
  /** The branch to create once resolved; null to merge into the directory. */
  branch: string | null;
  solver: ConflictAgentRun | null;
}

/** Work that conflicts with the directory: the files, and the ways to resolve it. */
export function MergeBackConflict(props: MergeBackConflictProps): ReactElement {
  const { run, conflict, branch, solver } = props;
  const merge = useMergeBackMutation("run_bring_home");
  const giveUp = useMergeBackMutation("worktree_remove");
  const ask = useMergeBackMutation("run_home_agent");
  const works = solver !== null && solver.state.state === "running";
  const failed = merge.error ?? ask.error ?? giveUp.error;
  const choices: { resolution: Resolution; label: string; hint: string }[] = [
    {
      resolution: "theirs",
      label: `Use ${conflict.theirs}`,
      hint: `Use the ${conflict.theirs} version of each conflicting file and drop the other change`,
    },
    {
      resolution: "ours",
      label: `Use ${conflict.ours}`,
      hint: `Use the ${conflict.ours} version of each conflicting file and drop the other change`,
    },
    {
      resolution: "by_hand",
      label: branch === null ? "Merge back with my files" : "Create the branch with my files",
      hint: "Uses the files in the worktree as they are now",
    },
  ];
  return (
    <section aria-label="Conflict" className="flex flex-col gap-3 rounded-card border p-3">
      <h3 dir="auto" className="break-words font-semibold">
        {conflict.theirs} conflicts with {conflict.ours}
      </h3>
      <MergeDetail conflict={conflict} />
      {solver && <ConflictAgentStatus solver={solver} />}
      {failed && (
        <p role="alert" className="select-text break-words text-danger-fg">
          Nothing was merged. {failed}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-1.5">
        <Button
          size="small"
          disabled={works}
          busy={giveUp.isPending}
          title="Removes the worktree. Its changes are kept in a commit under refs/baton."
          onClick={() => giveUp.act({ place: conflict.place, evenBroken: false })}
        >
          Abort merge
        </Button>
        <Button
          size="small"
          disabled={works}
          busy={ask.isPending}
          title="An agent works in the worktree. You review the files and merge them back."
          onClick={() => ask.act({ run, agent: null })}
        >
          Let an agent resolve it
        </Button>
        {choices.map(({ resolution, label, hint }) => (
          <Button
            key={resolution}
            size="small"
            kind={resolution === "by_hand" ? "primary" : "secondary"}
            title={hint}
            disabled={works}
            busy={merge.isPending && merge.variables?.resolution === resolution}
            onClick={() =>
              merge.act({ run, nodes: null, branch: null, resolution }, ({ conflict: next }) => {
                const title =
                  branch === null ? "Merged into your directory" : `Branch ${branch} created`;
                if (!next) showToast({ kind: "info", title });
              })
            }
          >
            <span dir="auto" className="max-w-56 truncate">
              {label}
            </span>
          </Button>
        ))}
      </div>
    </section>
  );
}

function ConflictAgentStatus({ solver }: { solver: ConflictAgentRun }): ReactElement {
  const words =
    solver.state.state === "running"
      ? "An agent is resolving the conflict."
      : solver.state.state === "completed"
        ? "An agent has resolved the conflict. Review the files, then merge them back."
        : "The agent didn't finish.";
  return (
    <p role="status" className="text-muted">
      {words}{" "}
      <Link
        to={paths.blueprintAt(solver.plan, { run: solver.run })}
        className="text-accent-fg underline"
      >
        Show its run
      </Link>
    </p>
  );
}
