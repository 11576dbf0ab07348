import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { DeletedPlan } from "@/api/bindings";
import { operationKey, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Dialog } from "@/components/Dialog";
import { formatCount, formatNumber } from "@/components/formatCount";
import { IncrementalList } from "@/components/IncrementalList";
import { quoteTitle } from "@/components/quotedTitle";
import { RelativeTime } from "@/components/RelativeTime";
import { formatDateTime } from "@/components/time";
import { showToast } from "@/components/toasts";
import { displayTitle } from "@/plan/nodeText";
import { useRestorePlan } from "@/plan/useRestorePlan";
import { paths } from "@/shell/paths";

/** Opens the list of deleted blueprints. Hidden as long as nothing was deleted. */
export function RecentlyDeleted(): ReactElement | null {
  const deleted = useOperation("plans_deleted", {});
  const [open, setOpen] = useState(false);
  const count = deleted.data?.length ?? 0;
  // An error is shown in the list, which the button therefore still opens.
  if (count === 0 && !open && !deleted.error) return null;
  return (
    <>
      <Button kind="ghost" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" />
        Recently deleted{" "}
        {count > 0 && <span className="tabular-nums opacity-80">{formatNumber(count)}</span>}
      </Button>
      {open && (
        <DeletedDialog
          plans={deleted.data}
          error={deleted.error?.message}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function DeletedDialog({
  plans,
  error,
  onClose,
}: {
  plans: readonly DeletedPlan[] | undefined;
  error: string | undefined;
  onClose: () => void;
}): ReactElement {
  const [purging, setPurging] = useState<DeletedPlan>();
  const title = useRef<HTMLParagraphElement>(null);
  const { restore, restoring } = useRestorePlan();
  const navigate = useNavigate();
  const client = useQueryClient();

  async function restoreOne(plan: DeletedPlan) {
    if (!(await restore(plan.id))) return;
    // The pressed button is gone with its row.
    title.current?.focus();
    void client.invalidateQueries({ queryKey: operationKey("plans_deleted") });
    void client.invalidateQueries({ queryKey: operationKey("plans_list") });
    showToast({
      kind: "info",
      title: "Blueprint restored",
      detail: displayTitle(plan.title),
      action: { label: "Open", onAct: () => void navigate(paths.blueprint(plan.id)) },
    });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Recently deleted"
      width={640}
      focusFirst={() => title.current}
      focusAfter={() => document.querySelector<HTMLElement>("#blueprints, main")}
    >
      <p ref={title} tabIndex={-1} className="mb-3 text-muted outline-none">
        Deleted blueprints are kept for 30 days, with their runs, handoffs and sessions.
      </p>
      {error !== undefined ? (
        <p role="alert" className="text-danger-fg">
          Couldn't load the deleted blueprints. {error}
        </p>
      ) : plans === undefined || plans.length === 0 ? (
        <p role="status">No deleted blueprints</p>
      ) : (
        <IncrementalList
          items={plans}
          keyOf={({ id }) => id}
          className="divide-y rounded-card border"
        >
          {(plan) => (
            <DeletedRow
              plan={plan}
              busy={restoring === plan.id}
              onRestore={() => void restoreOne(plan)}
              onPurge={() => setPurging(plan)}
            />
          )}
        </IncrementalList>
      )}
      {purging && (
        <PurgeDialog
          plan={purging}
          onClose={() => setPurging(undefined)}
          onPurged={() => {
            setPurging(undefined);
            title.current?.focus();
          }}
        />
      )}
    </Dialog>
  );
}

function DeletedRow({
  plan,
  busy,
  onRestore,
  onPurge,
}: {
  plan: DeletedPlan;
  busy: boolean;
  onRestore: () => void;
  onPurge: () => void;
}): ReactElement {
  const title = displayTitle(plan.title);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1 basis-64">
        <p dir="auto" title={title} className="truncate font-medium">
          {title}
        </p>
        <p className="text-12 text-muted tabular-nums">
          {formatCount(plan.nodeCount, "node")}, {formatCount(plan.runCount, "run")} · Deleted{" "}
          <RelativeTime at={plan.deletedAt} /> · Kept until <DateText at={plan.deletedUntil} />
        </p>
      </div>
      <Button size="small" busy={busy} aria-label={`Restore ${title}`} onClick={onRestore}>
        Restore
      </Button>
      <Button size="small" kind="ghost" aria-label={`Delete now: ${title}`} onClick={onPurge}>
        Delete now
      </Button>
    </div>
  );
}

/** A day such as "Dec 27", with the exact time on hover. */
function DateText({ at }: { at: number }): ReactElement {
  const day = new Date(at).toLocaleDateString("en-US", { month: "short", day: "numeric" });
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {day}
    </time>
  );
}

/** Confirms a deletion that can't be undone. */
function PurgeDialog({
  plan,
  onClose,
  onPurged,
}: {
  plan: DeletedPlan;
  onClose: () => void;
  onPurged: () => void;
}): ReactElement {
  const backend = useBackend();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function purge() {
    setBusy(true);
    try {
      await backend.call("plan_purge", { plan: plan.id });
      await client.invalidateQueries({ queryKey: operationKey("plans_deleted") });
      onPurged();
    } catch (cause) {
      const detail = ApiError.from(cause).message;
      showToast({ kind: "error", title: "Couldn't delete the blueprint", detail });
      onClose();
    } finally {
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete ${quoteTitle(displayTitle(plan.title))} permanently?`}
      confirmLabel="Delete permanently"
      busy={busy}
      onConfirm={() => void purge()}
    >
      The blueprint and {formatCount(plan.runCount, "run")} will be deleted, including all sessions,
      timelines and handoffs. This can't be undone.
    </ConfirmDialog>
  );
}
