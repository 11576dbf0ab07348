import type { ReactElement } from "react";
import { AskedCall } from "./AskedCall";
import type { Asking } from "./ask";
import { MergeDetail } from "./MergeDetail";

/** What a person has to see before they answer, beside the question itself. */
export function AskDetail({ asking }: { asking: Asking }): ReactElement | null {
  const { ask, session } = asking;
  if (ask.kind === "merge") return <MergeDetail conflict={ask.conflict} />;
  if (ask.kind !== "permission" || session === null) return null;
  return <AskedCall session={session} request={ask.request} />;
}
