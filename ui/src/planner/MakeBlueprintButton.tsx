import { type ReactElement, useState } from "react";
import type { SessionId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { AskPlannerDialog } from "./AskPlannerDialog";

/** Makes a blueprint from a session of Baton or from a transcript of an agent's history. */
export function MakeBlueprintButton({
  session = null,
  transcript = null,
  title,
}: {
  session?: SessionId | null;
  transcript?: string | null;
  title: string;
}): ReactElement {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>Create blueprint</Button>
      {asking && (
        <AskPlannerDialog
          order={{ ask: "session", session, transcript, title }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
