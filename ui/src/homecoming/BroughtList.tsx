import { ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { BroughtView, RunId } from "@/api/bindings";
import { DeltaList } from "@/attempt/DeltaList";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { RelativeTime } from "@/components/RelativeTime";
import { showToast } from "@/components/toasts";
import { titleWords } from "@/plan/nodeWords";
import { useHomeAct } from "./useHome";

interface BroughtListProps {
  run: RunId;
  brought: readonly BroughtView[];
}

/** What came into the directory, by a person's act or with a shared node, and the way back. */
export function BroughtList({ run, brought }: BroughtListProps): ReactElement | null {
  const undo = useHomeAct("run_home_undo");
  const [refused, setRefused] = useState<string>();
  if (brought.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold text-12">Came into your directory</h3>
      {undo.error && refused !== undefined && (
        <p role="alert" className="select-text break-words text-danger-fg">
          Nothing was taken back. {undo.error}
        </p>
      )}
      <ul
        aria-label="Came into your directory"
        className="flex flex-col divide-y rounded-card border"
      >
        {brought.map((act) => (
          <li key={act.act} className="flex items-start gap-2 px-3 py-2">
            <Act act={act} />
            {!act.undone && (
              <Button
                size="small"
                aria-label={`Take back the work of ${act.titles.map(titleWords).join(", ")}`}
                title="The files become what they were before; what you changed elsewhere since stays"
                busy={undo.isPending && undo.variables?.act === act.act}
                onClick={() => {
                  setRefused(act.act);
                  undo.act({ run, act: act.act }, ({ files }) =>
                    showToast({
                      kind: "info",
                      title: `${formatCount(files.length, "file")} taken back`,
                    }),
                  );
                }}
              >
                Take back
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Act({ act }: { act: BroughtView }): ReactElement {
  const state = act.undone ? "taken back" : act.unfinished ? "cut off" : undefined;
  return (
    <details className="group min-w-0 flex-1">
      <summary className="block cursor-default">
        <ChevronRight
          aria-hidden="true"
          className="mr-2 inline size-3 text-faint group-open:rotate-90"
        />
        <span dir="auto" className="break-words font-medium">
          {act.titles.map(titleWords).join(", ")}
        </span>{" "}
        <span className="text-12 text-faint">
          {formatCount(act.files.length + act.filesLeftOut, "file")}{" "}
          {act.node === null ? "brought home" : "merged for a node"} <RelativeTime at={act.at} />
          {state && ` · ${state}`}
        </span>
      </summary>
      <div className="pt-1">
        <DeltaList label="Files that came" files={act.files} leftOut={act.filesLeftOut} />
      </div>
    </details>
  );
}
