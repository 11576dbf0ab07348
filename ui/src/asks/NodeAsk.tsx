import type { ReactElement } from "react";
import { StateIcon } from "@/components/StateIcon";
import { AskActs } from "./AskActs";
import { AskDetail } from "./AskDetail";
import { type Asking, askWords } from "./ask";

export interface NodeAskProps {
  asking: Asking;
  /** The nodes that lead there, when it is a node of a run below: "Deploy › Ask". */
  path?: string;
}

/** What the selected node asks, with the acts that answer it. Stands on top of the inspector. */
export function NodeAsk({ asking, path }: NodeAskProps): ReactElement {
  const { ask } = asking;
  return (
    <section
      aria-label={path === undefined ? "Question of this node" : `Question of ${path}`}
      className="flex shrink-0 flex-col gap-2 border-b bg-state-waiting-tint px-4 py-2.5"
    >
      {path !== undefined && (
        <p dir="auto" className="break-words text-12 text-muted">
          {path}
        </p>
      )}
      {ask.kind !== "interrupted" && (
        <p className="flex items-start gap-2 font-medium">
          <span className="mt-0.5 flex">
            <StateIcon state="waiting" waitingFor="person" decorative />
          </span>
          <span dir="auto" className="min-w-0 select-text break-words">
            {askWords(ask)}
          </span>
        </p>
      )}
      <AskDetail asking={asking} />
      <AskActs asking={asking} />
    </section>
  );
}
