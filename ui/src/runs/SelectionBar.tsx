import { type ReactElement, type Ref, useImperativeHandle, useState } from "react";
import { flushSync } from "react-dom";
import { useBackend } from "@/api/backendContext";
import type { RunsPageRow } from "@/api/bindings";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { formatCount } from "@/components/formatCount";
import { showToast } from "@/components/toasts";
import { useEnrichment } from "@/shell/enrichments";
import { paths } from "@/shell/paths";
import { DeleteQuestion, StopQuestion } from "./BulkQuestions";
import { stopRuns } from "./bulkActs";
import { FailureList, type Failures } from "./FailureList";
import { deleteWithUndo } from "./runDeletion";
import { isDeletable, isOpenRun, refusalToDelete } from "./runText";

/** What the keys of the table do with the bar. */
export interface SelectionBarHandle {
  /** Asks whether to delete the selected runs. */
  askDelete: () => void;
}

/** The acts on the selected runs. Runs on which an act failed are listed with the reason. */
export function SelectionBar({
  selected,
  onNote,
  onClear,
  onKeep,
  focusTable,
  ref,
}: {
  selected: readonly RunsPageRow[];
  /** Edits the note on a run. */
  onNote: (row: RunsPageRow) => void;
  onClear: () => void;
  /** Reduces the selection to these runs. */
  onKeep: (ids: readonly string[]) => void;
  /** The buttons may be gone after an act, and the table too. */
  focusTable: () => void;
  ref?: Ref<SelectionBarHandle>;
}): ReactElement {
  const backend = useBackend();
  const [asking, setAsking] = useState<"delete" | "stop">();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Failures>();
  useImperativeHandle(ref, () => ({ askDelete: () => setAsking("delete") }), []);
  const open = selected.filter(isOpenRun);
  const [a, b] = selected;
  const { notes } = useEnrichment("run", a?.id ?? "").enrichment;

  function remove() {
    const kept = selected.filter((row) => !isDeletable(row));
    deleteWithUndo(backend, selected.filter(isDeletable));
    const failures = kept.map((row) => ({
      ...{ id: row.id, name: `#${row.number}` },
      reason: refusalToDelete(row),
    }));
    // At once, because an open dialog would take the focus back from the table.
    flushSync(() => {
      setTrouble(kept.length > 0 ? { title: "Not deleted", failures } : undefined);
      setAsking(undefined);
      onKeep(kept.map(({ id }) => id));
    });
    if (kept.length === 0) focusTable();
  }

  async function stop() {
    setBusy(true);
    const { done, failures } = await stopRuns(backend, open);
    setBusy(false);
    setTrouble(failures.length > 0 ? { title: "Not stopped", failures } : undefined);
    if (done > 0) showToast({ kind: "info", title: `${formatCount(done, "run")} stopped` });
    setAsking(undefined);
  }

  return (
    <section aria-label="Selected runs" className="shrink-0 border-b bg-raised px-4 py-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="tabular-nums">
          {formatCount(selected.length, "run")} selected
        </span>
        <Button size="small" disabled={open.length === 0} onClick={() => setAsking("stop")}>
          Stop
        </Button>
        {a && b && selected.length === 2 ? (
          // The older run is on the left, whatever the sort order.
          <ButtonLink
            size="small"
            to={
              a.startedAt <= b.startedAt
                ? paths.compareRuns(a.id, b.id)
                : paths.compareRuns(b.id, a.id)
            }
          >
            Compare
          </ButtonLink>
        ) : (
          <Button size="small" disabled title="Select exactly two runs">
            Compare
          </Button>
        )}
        <Button
          size="small"
          disabled={!a || b !== undefined}
          {...(b && { title: "Select one run" })}
          onClick={() => a && onNote(a)}
        >
          {notes === "" ? "Add note" : "Edit note"}
        </Button>
        <Button size="small" kind="danger" onClick={() => setAsking("delete")}>
          Delete
        </Button>
        <Button
          size="small"
          kind="ghost"
          onClick={() => {
            onClear();
            focusTable();
          }}
        >
          Clear selection
        </Button>
      </div>
      {trouble && <FailureList {...trouble} onClose={() => setTrouble(undefined)} />}
      <DeleteQuestion
        selected={selected}
        open={asking === "delete"}
        onClose={() => setAsking(undefined)}
        onConfirm={remove}
      />
      <StopQuestion
        count={open.length}
        open={asking === "stop"}
        onClose={() => setAsking(undefined)}
        busy={busy}
        onConfirm={() => void stop()}
      />
    </section>
  );
}
