import { type ReactElement, useState } from "react";
import type { CloseRequest } from "@/api/Backend";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { quoteTitle } from "@/components/quotedTitle";
import { Switch } from "@/components/Switch";
import { displayTitle } from "@/plan/nodeText";
import { useCloseBehavior } from "@/shell/closeBehavior";

type Decision = "stay" | "background" | "quit";

/** How many runs or programs are listed by name. */
const maxNamed = 3;

/**
 * Asks what happens to active runs and running programs when the window closes, and explains each
 * option.
 */
export function CloseWindowDialog({
  question: { wish, runs, programs, tray },
  onDecide,
}: {
  question: CloseRequest;
  onDecide: (decision: Decision) => void;
}): ReactElement {
  const [always, setAlways] = useState(false);
  const [, choose] = useCloseBehavior();

  const active = runs.length > 0 ? "runs are active" : "programs are running";
  const what = runs.length > 0 ? "runs" : "programs";

  function decide(decision: "background" | "quit") {
    if (always && wish === "close") choose(decision);
    onDecide(decision);
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onDecide("stay")}
      title={wish === "quit" ? `Quit Baton while ${active}?` : `Close the window while ${active}?`}
      description={[
        ...(runs.length > 0
          ? [
              `${formatNames(runs.map((title) => quoteTitle(displayTitle(title))))} ${isAre(runs)} running.`,
            ]
          : []),
        ...(programs.length > 0
          ? [`${formatNames(programs)} ${isAre(programs)} running in a terminal.`]
          : []),
      ].join(" ")}
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
            ? `The window closes and the ${what} continue. The tray icon reopens the window.`
            : `The window is minimized and the ${what} continue. Starting Baton again restores it.`}
        </Choice>
        <Choice name="Quit Baton">{quitEffect(runs, programs)}</Choice>
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

/** What quitting does to the runs and programs that there are. */
function quitEffect(runs: readonly string[], programs: readonly string[]): string {
  const ofRuns =
    "Running sessions finish. No more nodes start until you open Baton again; then the runs resume automatically.";
  return [
    ...(runs.length > 0 ? [ofRuns] : []),
    ...(programs.length > 0 ? ["Programs in terminals are ended."] : []),
  ].join(" ");
}

function Choice({ name, children }: { name: string; children: string }): ReactElement {
  return (
    <div>
      <dt className="font-medium">{name}</dt>
      <dd className="text-muted">{children}</dd>
    </div>
  );
}

function isAre(names: readonly string[]): string {
  return names.length === 1 ? "is" : "are";
}

function formatNames(names: readonly string[]): string {
  const named = names.slice(0, maxNamed);
  const more = names.length - named.length;
  const all = more > 0 ? [...named, `${more} more`] : named;
  const last = all.pop() ?? "";
  return all.length === 0 ? last : `${all.join(", ")} and ${last}`;
}
