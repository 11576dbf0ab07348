import { Check, Pause, Play, Square } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useKeysFor } from "@/commands/keyBindings";
import { Button } from "@/components/Button";
import { isPageRoot } from "@/components/isPageRoot";
import type { MenuEntry } from "@/components/Menu";
import { SplitButton } from "@/components/SplitButton";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { commandEntry } from "@/plan/commandEntry";
import { useEditor } from "@/plan/editor";
import { nodeActionRefusal } from "@/plan/nodeActions";
import { useRunDefaults } from "@/plan/runDefaults";
import { runPhase } from "@/plan/runStatus";
import { useExitPlayback } from "@/playback/useExitPlayback";

/**
 * Approve, run, pause, resume and stop, as far as they apply now. The primary button comes last.
 */
export function RunBar(): ReactElement {
  const { runs, page } = useBlueprint();
  const phase = useEditor((state) => runPhase(state.run));
  const past = useEditor((state) => state.run?.past !== undefined);
  const leave = useExitPlayback();
  if (past) {
    return (
      <Button kind="primary" onClick={leave}>
        Back to now
      </Button>
    );
  }
  const stop = (
    <Button onClick={() => page.setState({ stopping: true })} busy={phase === "stopping"}>
      {phase !== "stopping" && <Square />}
      {phase === "stopping" ? "Stopping…" : "Stop"}
    </Button>
  );

  switch (phase) {
    case "idle":
      return <IdleRunControls />;
    case "running":
      return (
        <>
          {stop}
          <PauseButton />
        </>
      );
    case "stopping":
    case "aborting":
      return stop;
    case "pausing":
    case "paused":
    case "stalled":
    case "orphaned":
      return (
        <>
          {stop}
          <Approve />
          <Button kind="primary" onClick={() => void runs.resume()}>
            <Play />
            Resume
          </Button>
        </>
      );
  }
}

function PauseButton(): ReactElement {
  const { runs } = useBlueprint();
  return (
    <SplitButton
      menuLabel="Pause options"
      onClick={() => void runs.pause(false)}
      entries={[
        {
          kind: "act",
          label: "Let running nodes finish",
          onSelect: () => void runs.pause(false),
        },
        {
          kind: "act",
          label: "Stop running nodes too; they start again on resume",
          onSelect: () => void runs.pause(true),
        },
      ]}
    >
      <Pause />
      Pause
    </SplitButton>
  );
}

function IdleRunControls(): ReactElement {
  const { editor } = useBlueprint();
  const elsewhere = useEditor(({ view: { lastRun }, runId }) =>
    lastRun && lastRun.id !== runId && runPhase({ summary: lastRun }) !== "idle"
      ? lastRun.id
      : undefined,
  );
  const approved = useEditor((state) => state.view.review === "approved");
  if (elsewhere !== undefined) {
    return (
      <Button kind="primary" onClick={() => editor.getState().showRun(elsewhere)}>
        Show the active run
      </Button>
    );
  }
  return <ApproveAndRun approved={approved} />;
}

function ApproveAndRun({ approved }: { approved: boolean }): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const isAsked = useRef(false);
  // The button for the approval disappears with it, and with it the focus. Running comes next.
  useEffect(() => {
    if (!approved || !isAsked.current) return;
    isAsked.current = false;
    // A dialog that asked first closes first.
    requestAnimationFrame(() => {
      if (isPageRoot(document.activeElement)) frame.current?.querySelector("button")?.focus();
    });
  }, [approved]);
  return (
    <div ref={frame} className="contents">
      <Approve
        onAsk={() => {
          isAsked.current = true;
        }}
      />
      <RunButton kind={approved ? "primary" : "secondary"} />
    </div>
  );
}

function Approve({ onAsk }: { onAsk?: () => void }): ReactElement | null {
  const { runs } = useBlueprint();
  const review = useEditor((state) => state.view.review);
  const empty = useEditor((state) => state.plan.nodes.every((node) => node.kind.kind === "note"));
  const phase = useEditor((state) => runPhase(state.run));
  const [busy, setBusy] = useState(false);
  if (review === "approved" || review === "cancelled" || empty) return null;
  return (
    <Button
      kind={phase === "idle" ? "primary" : "secondary"}
      busy={busy}
      onClick={() => {
        setBusy(true);
        onAsk?.();
        void runs.requestApproval().finally(() => setBusy(false));
      }}
    >
      <Check />
      Approve blueprint
    </Button>
  );
}

const limits = [1, 2, 4, 8];

function RunButton({ kind }: { kind: "primary" | "secondary" }): ReactElement {
  const { runs } = useBlueprint();
  // The entry's refusal depends on the pins and on the approval.
  usePage((state) => state.pinnedOutputs);
  const starting = usePage((state) => state.starting);
  useEditor((state) => state.view.review);
  const [limit, setLimit] = useState<number | null>(null);
  const defaults = useRunDefaults();
  const ownLimit = useEditor((state) => state.plan.settings.concurrency) ?? defaults.concurrency;
  const selected = useSelectedNode();
  const runKeys = useKeysFor("run");
  const selectedKeys = useKeysFor("run_selected");
  const limitEntries: MenuEntry[] = [null, ...limits].map((choice) => ({
    kind: "choice",
    label: choice === null ? `Blueprint default (${ownLimit})` : String(choice),
    chosen: limit === choice,
    onSelect: () => setLimit(choice),
  }));

  return (
    <SplitButton
      kind={kind}
      menuLabel="Run options"
      busy={starting}
      // It gets the focus when an approval returns. The Enter that approved may still be held down.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={() => void runs.start({ want: "all" }, limit)}
      entries={[
        {
          kind: "act",
          label: "Run all",
          keys: runKeys,
          onSelect: () => void runs.start({ want: "all" }, limit),
        },
        {
          kind: "act",
          label: "Run next node",
          onSelect: () => void runs.start({ want: "next" }, limit),
        },
        {
          kind: "act",
          label: "Run selected node",
          keys: selectedKeys,
          reason: selected.reason,
          onSelect: () =>
            selected.id && void runs.start({ want: "node", node: selected.id }, limit),
        },
        { ...commandEntry("run_pinned"), label: "Run with pinned outputs…" },
        { kind: "line" },
        { kind: "heading", label: "Max parallel nodes" },
        ...limitEntries,
      ]}
    >
      <Play />
      Run all
    </SplitButton>
  );
}

function useSelectedNode(): { id: string | undefined; reason: string | undefined } {
  const id = useEditor((state) =>
    state.selection.size === 1 ? [...state.selection][0] : undefined,
  );
  const node = useEditor((state) => state.plan.nodes.find((candidate) => candidate.id === id));
  const review = useEditor((state) => state.view.review);
  if (!node) return { id: undefined, reason: "Select one node" };
  // Starting approves a draft first, so only the state of the node matters.
  const facts = { node, review: "approved", run: undefined, nodeRun: undefined } as const;
  return { id, reason: review === "cancelled" ? "Withdrawn" : nodeActionRefusal("run", facts) };
}
