import type { ReactElement } from "react";
import { useParams } from "react-router";
import { NodeSessionPage } from "./NodeSessionPage";
import { TranscriptPage } from "./TranscriptPage";

/** The timeline of one session. Ids of transcripts contain a colon, ids of node sessions don't. */
export function SessionPage(): ReactElement {
  const { id = "" } = useParams();
  return id.includes(":") ? (
    <TranscriptPage key={id} id={id} />
  ) : (
    <NodeSessionPage key={id} id={id} />
  );
}
