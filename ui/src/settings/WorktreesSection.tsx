import { type ReactElement, useState } from "react";
import type { WorktreesRemoved, WorktreeView } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { formatBytes } from "@/components/formatBytes";
import { Skeleton } from "@/components/Skeleton";
import { Table, TableCell, TableHead, TableRow } from "@/components/Table";
import { showToast } from "@/components/toasts";
import { paths } from "@/shell/paths";
import { terminalNavigation } from "@/shell/terminalNavigation";
import { RemoveWorktreeDialog } from "./RemoveWorktreeDialog";
import { SettingsSection } from "./SettingsSection";
import { worktreeStateHints, worktreeStateLabels } from "./worktreeLabels";

/** The worktrees of nodes with the state of their work, and buttons to remove them. */
export function WorktreesSection(): ReactElement {
  const { data, error, refetch } = useOperation("worktrees_list", {}, { staleTime: 0 });
  const clean = useMutationOperation("worktrees_remove_merged");
  const [leaving, setLeaving] = useState<WorktreeView>();
  const merged = (data ?? []).filter(({ standing }) => standing === "home");
  const bytes = (data ?? []).reduce((sum, each) => sum + each.bytes, 0);
  const describeResult = ({ removed, refused }: WorktreesRemoved) => {
    const title = removed === 1 ? "1 worktree removed" : `${removed} worktrees removed`;
    showToast({ kind: refused.length > 0 ? "error" : "info", title, detail: refused.join(" ") });
    void refetch();
  };

  return (
    <SettingsSection
      title="Worktrees"
      note={
        data && data.length > 0
          ? `Separate checkouts that nodes worked in. Total size: ${formatBytes(bytes)}.`
          : "Separate checkouts for nodes, in blueprints that use them."
      }
      action={
        merged.length > 0 && (
          <Button
            size="small"
            busy={clean.isPending}
            onClick={() =>
              clean.mutate(
                {},
                {
                  onSuccess: describeResult,
                  onError: ({ message }) =>
                    showToast({
                      kind: "error",
                      title: "Couldn't remove the worktrees",
                      detail: message,
                    }),
                },
              )
            }
          >
            Remove {merged.length} merged
          </Button>
        )
      }
    >
      {error && <p className="text-state-failed">{error.message}</p>}
      {!data && !error && <Skeleton width={320} />}
      {data?.length === 0 && <p className="text-faint">No worktrees</p>}
      {data && data.length > 0 && <Worktrees worktrees={data} onRemove={setLeaving} />}
      {leaving && (
        <RemoveWorktreeDialog
          worktree={leaving}
          onClose={() => {
            setLeaving(undefined);
            void refetch();
          }}
        />
      )}
    </SettingsSection>
  );
}

interface WorktreesProps {
  worktrees: WorktreeView[];
  onRemove: (worktree: WorktreeView) => void;
}

function Worktrees({ worktrees, onRemove }: WorktreesProps): ReactElement {
  return (
    <div className="max-h-96 overflow-auto rounded-card border">
      <Table aria-label="Worktrees" className="min-w-160">
        <thead>
          <tr>
            <TableHead>Node</TableHead>
            <TableHead className="w-48">Blueprint</TableHead>
            <TableHead className="w-36">Work</TableHead>
            <TableHead className="w-24">Size</TableHead>
            <TableHead className="w-44">
              <span className="sr-only">Actions</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {worktrees.map((worktree) => (
            <TableRow key={worktree.place}>
              <TableCell dir="auto" title={worktree.place}>
                {worktree.title}
              </TableCell>
              <TableCell dir="auto" title={worktree.planTitle}>
                {worktree.runExists ? worktree.planTitle : `${worktree.planTitle} (deleted)`}
              </TableCell>
              <TableCell title={worktreeStateHints[worktree.standing]}>
                {worktreeStateLabels[worktree.standing]}
              </TableCell>
              <TableCell>{formatBytes(worktree.bytes)}</TableCell>
              <TableCell>
                <span className="flex justify-end gap-2">
                  {worktree.runExists && worktree.node !== null && (
                    <ButtonLink
                      size="small"
                      aria-label={`Open terminal in the worktree of ${worktree.title}`}
                      to={paths.blueprintAt(worktree.plan, {
                        run: worktree.run,
                        node: worktree.node,
                      })}
                      state={terminalNavigation}
                    >
                      Terminal
                    </ButtonLink>
                  )}
                  <Button
                    size="small"
                    disabled={worktree.standing === "in_use"}
                    aria-label={`Remove worktree of ${worktree.title}`}
                    onClick={() => onRemove(worktree)}
                  >
                    Remove
                  </Button>
                </span>
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
