import type { ReactElement } from "react";
import { useParams } from "react-router";
import { NodeSessionPage } from "./NodeSessionPage";
import { TranscriptPage } from "./TranscriptPage";

/** The timeline of one session: of a transcript, whose id names its agent, or of a session that a node had. */
export function SessionPage(): ReactElement {
  const { id = "" } = useParams();
  return id.includes(":") ? (
    <TranscriptPage key={id} id={id} />
  ) : (
    <NodeSessionPage key={id} id={id} />
  );
}
