import { type ReactElement, useState } from "react";
import type { CloseRequest } from "@/api/Backend";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Switch } from "@/components/Switch";
import { displayTitle } from "@/plan/nodeText";
import { useCloseBehavior } from "@/shell/closeBehavior";

type Decision = "stay" | "background" | "quit";

/** How many runs are listed by title. */
const maxNamed = 3;

/** Asks what happens to the active runs when the window closes, and explains each option. */
export function CloseWindowDialog({
  question: { wish, runs, tray },
  onDecide,
}: {
  question: CloseRequest;
  onDecide: (decision: Decision) => void;
}): ReactElement {
  const [always, setAlways] = useState(false);
  const [, choose] = useCloseBehavior();

  function decide(decision: "background" | "quit") {
    if (always && wish === "close") choose(decision);
    onDecide(decision);
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onDecide("stay")}
      title={
        wish === "quit"
          ? "Quit Baton while runs are active?"
          : "Close the window while runs are active?"
      }
      description={`${formatRunTitles(runs)} ${runs.length === 1 ? "is" : "are"} running.`}
      actions={
        <>
          <Button onClick={() => onDecide("stay")}>Cancel</Button>
          <Button onClick={() => decide("quit")}>Quit Baton</Button>
          <Button kind="primary" onClick={() => decide("background")}>
            {tray ? "Keep in tray" : "Keep running"}
          </Button>
        </>
      }
    >
      <dl className="flex flex-col gap-2">
        <Choice name={tray ? "Keep in tray" : "Keep running"}>
          {tray
            ? "The window closes and the runs continue. The tray icon reopens the window."
            : "The window is minimized and the runs continue. Starting Baton again restores it."}
        </Choice>
        <Choice name="Quit Baton">
          Running sessions finish. No more nodes start until you open Baton again; then the runs
          resume automatically.
        </Choice>
      </dl>
      {wish === "close" && (
        <div className="mt-3 border-t pt-3">
          <Switch
            label="Remember my choice"
            hint="You can change this in Settings → Window."
            checked={always}
            onChange={setAlways}
          />
        </div>
      )}
    </Dialog>
  );
}

function Choice({ name, children }: { name: string; children: string }): ReactElement {
  return (
    <div>
      <dt className="font-medium">{name}</dt>
      <dd className="text-muted">{children}</dd>
    </div>
  );
}

function formatRunTitles(runs: readonly string[]): string {
  const named = runs.slice(0, maxNamed).map((title) => `“${displayTitle(title)}”`);
  const more = runs.length - named.length;
  const all = more > 0 ? [...named, `${more} more`] : named;
  const last = all.pop() ?? "";
  return all.length === 0 ? last : `${all.join(", ")} and ${last}`;
}
