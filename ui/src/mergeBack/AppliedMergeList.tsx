import { ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { AppliedMergeView, RunId } from "@/api/bindings";
import { FileDeltaList } from "@/attempt/FileDeltaList";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { RelativeTime } from "@/components/RelativeTime";
import { showToast } from "@/components/toasts";
import { displayTitle } from "@/plan/nodeText";
import { useMergeBackMutation } from "./useMergeBack";

interface AppliedMergeListProps {
  run: RunId;
  brought: readonly AppliedMergeView[];
}

/**
 * The merges into the directory, by a person or for a shared node, each with a button to revert it.
 */
export function AppliedMergeList({ run, brought }: AppliedMergeListProps): ReactElement | null {
  const undo = useMergeBackMutation("run_home_undo");
  const [refused, setRefused] = useState<string>();
  if (brought.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold text-12">Merged into your directory</h3>
      {undo.error && refused !== undefined && (
        <p role="alert" className="select-text break-words text-danger-fg">
          Nothing was reverted. {undo.error}
        </p>
      )}
      <ul
        aria-label="Merged into your directory"
        className="flex flex-col divide-y rounded-card border"
      >
        {brought.map((act) => (
          <li key={act.act} className="flex items-start gap-2 px-3 py-2">
            <AppliedMerge act={act} />
            {!act.undone && (
              <Button
                size="small"
                aria-label={`Revert the work of ${act.titles.map(displayTitle).join(", ")}`}
                title="Restores the files to their earlier state. Your other changes since then are kept."
                busy={undo.isPending && undo.variables?.act === act.act}
                onClick={() => {
                  setRefused(act.act);
                  undo.act({ run, act: act.act }, ({ files }) =>
                    showToast({
                      kind: "info",
                      title: `${formatCount(files.length, "file")} reverted`,
                    }),
                  );
                }}
              >
                {" "}
                Revert
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AppliedMerge({ act }: { act: AppliedMergeView }): ReactElement {
  const state = act.undone ? "reverted" : act.unfinished ? "interrupted" : undefined;
  return (
    <details className="group min-w-0 flex-1">
      <summary className="block cursor-default">
        <ChevronRight
          aria-hidden="true"
          className="mr-2 inline size-3 text-faint group-open:rotate-90"
        />
        <span dir="auto" className="break-words font-medium">
          {act.titles.map(displayTitle).join(", ")}
        </span>{" "}
        <span className="text-12 text-faint">
          {formatCount(act.files.length + act.filesLeftOut, "file")}{" "}
          {act.node === null ? "merged back" : "merged for a node"} <RelativeTime at={act.at} />
          {state && ` · ${state}`}
        </span>
      </summary>
      <div className="pt-1">
        <FileDeltaList label="Merged files" files={act.files} leftOut={act.filesLeftOut} />
      </div>
    </details>
  );
}
