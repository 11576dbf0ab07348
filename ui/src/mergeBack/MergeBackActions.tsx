import { GitBranch, GitMerge, GitPullRequest } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { MergeBackView, NodeId, RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { TextField } from "@/components/TextField";
import { showToast } from "@/components/toasts";
import { useBlueprint } from "@/plan/blueprintContext";
import { useMergeBackMutation } from "./useMergeBack";

interface MergeBackActionsProps {
  run: RunId;
  mergeBack: MergeBackView;
  chosen: NodeId[] | null;
}

/** Merges the work into the directory, or creates a branch or a pull request from it. */
export function MergeBackActions({ run, mergeBack, chosen }: MergeBackActionsProps): ReactElement {
  const [branch, setBranch] = useState<string>();
  const { page } = useBlueprint();
  const merge = useMergeBackMutation("run_bring_home");
  const nothing = chosen?.length === 0;
  const input = { run, nodes: chosen, resolution: null };
  if (branch !== undefined) {
    return <BranchForm run={run} chosen={chosen} onClose={() => setBranch(undefined)} />;
  }
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center justify-end gap-2">
      {merge.error && (
        <p role="alert" className="min-w-0 flex-1 select-text break-words text-12 text-danger-fg">
          Nothing was merged. {merge.error}
        </p>
      )}
      <Button
        aria-haspopup="dialog"
        onClick={() => page.setState({ mergeBackOpen: false, pullRequestOpen: true })}
      >
        <GitPullRequest />
        Open pull request…
      </Button>
      <Button disabled={nothing} onClick={() => setBranch("")}>
        <GitBranch />
        Create a branch…
      </Button>
      <Button
        kind="primary"
        disabled={nothing || mergeBack.atWork.length > 0 || mergeBack.inTheWay.length > 0}
        title="Writes the files into your directory. Nothing is committed or staged, and you can revert it."
        busy={merge.isPending}
        onClick={() =>
          merge.act({ ...input, branch: null }, ({ files, filesLeftOut, conflict }) => {
            if (conflict) return;
            const count = formatCount(files.length + filesLeftOut, "file");
            showToast({ kind: "info", title: `${count} changed in your directory` });
          })
        }
      >
        <GitMerge />
        {mergeBack.clashes.length > 0 ? "Start merge" : "Merge back"}
      </Button>
    </div>
  );
}

interface BranchFormProps {
  run: RunId;
  chosen: NodeId[] | null;
  onClose: () => void;
}

function BranchForm({ run, chosen, onClose }: BranchFormProps): ReactElement {
  const [name, setName] = useState("");
  const merge = useMergeBackMutation("run_bring_home");
  const isBlank = name.trim() === "";
  return (
    <form
      className="flex min-w-0 flex-1 items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBlank || merge.isPending) return;
        const input = { run, nodes: chosen, branch: name.trim(), resolution: null };
        merge.act(input, ({ branch }) => {
          if (!branch) return;
          showToast({ kind: "info", title: `Branch ${branch} created` });
          onClose();
        });
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="Branch name"
          labelHidden
          autoFocus
          value={name}
          placeholder="New branch name; your directory doesn't change"
          error={merge.error}
          onChange={setName}
        />
      </div>
      <Button onClick={onClose}>Back</Button>
      <Button type="submit" kind="primary" busy={merge.isPending} disabled={isBlank}>
        Create branch
      </Button>
    </form>
  );
}
