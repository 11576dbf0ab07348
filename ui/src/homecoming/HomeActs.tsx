import { GitBranch, GitMerge } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { HomeView, NodeId, RunId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { TextField } from "@/components/TextField";
import { showToast } from "@/components/toasts";
import { useHomeAct } from "./useHome";

interface HomeActsProps {
  run: RunId;
  home: HomeView;
  chosen: NodeId[] | null;
}

/** The two ways home: into the directory, or onto a branch. */
export function HomeActs({ run, home, chosen }: HomeActsProps): ReactElement {
  const [branch, setBranch] = useState<string>();
  const bring = useHomeAct("run_bring_home");
  const nothing = chosen?.length === 0;
  const wish = { run, nodes: chosen, resolution: null };
  if (branch !== undefined) {
    return <BranchForm run={run} chosen={chosen} onClose={() => setBranch(undefined)} />;
  }
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center justify-end gap-2">
      {bring.error && (
        <p role="alert" className="min-w-0 flex-1 select-text break-words text-12 text-danger-fg">
          Nothing was brought home. {bring.error}
        </p>
      )}
      <Button disabled={nothing} onClick={() => setBranch("")}>
        <GitBranch />
        Make a branch…
      </Button>
      <Button
        kind="primary"
        disabled={nothing || home.atWork.length > 0 || home.inTheWay.length > 0}
        title="Writes the files into your directory. Nothing is committed or staged, and it can be taken back"
        busy={bring.isPending}
        onClick={() =>
          bring.act({ ...wish, branch: null }, ({ files, filesLeftOut, conflict }) => {
            if (conflict) return;
            const count = formatCount(files.length + filesLeftOut, "file");
            showToast({ kind: "info", title: `${count} changed in your directory` });
          })
        }
      >
        <GitMerge />
        {home.clashes.length > 0 ? "Begin the merge" : "Bring home"}
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
  const bring = useHomeAct("run_bring_home");
  const isBlank = name.trim() === "";
  return (
    <form
      className="flex min-w-0 flex-1 items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBlank || bring.isPending) return;
        const wish = { run, nodes: chosen, branch: name.trim(), resolution: null };
        bring.act(wish, ({ branch }) => {
          if (!branch) return;
          showToast({ kind: "info", title: `The work is on the branch ${branch}` });
          onClose();
        });
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="Name of the branch"
          labelHidden
          autoFocus
          value={name}
          placeholder="Name of a new branch; your directory stays as it is"
          error={bring.error}
          onChange={setName}
        />
      </div>
      <Button onClick={onClose}>Back</Button>
      <Button type="submit" kind="primary" busy={bring.isPending} disabled={isBlank}>
        Make branch
      </Button>
    </form>
  );
}
