import { GitPullRequest } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { PullRequestResult, PullRequestView, RunId } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { InlineCodeText } from "@/components/InlineCodeText";
import { Select } from "@/components/Select";
import { Switch } from "@/components/Switch";
import { TextArea } from "@/components/TextArea";
import { TextField } from "@/components/TextField";
import { PullRequestContents } from "./PullRequestContents";
import { PullRequestLink } from "./PullRequestLink";
import { toolNote } from "./toolNote";

/** What a person changed; the rest is as suggested. */
interface Fields {
  title?: string;
  description?: string;
  base?: string;
  branch?: string;
  draft: boolean;
}

interface PullRequestFormProps {
  run: RunId;
  view: PullRequestView;
  onRemote: (name: string) => void;
  onDone: (done: PullRequestResult) => void;
  onClose: () => void;
}

/** The fields of a pull request, what it would contain, and the button that opens it. */
export function PullRequestForm(props: PullRequestFormProps): ReactElement {
  const { run, view, onRemote, onDone, onClose } = props;
  const [fields, setFields] = useState<Fields>({ draft: false });
  const open = useMutationOperation("run_pull_request_open");
  const { title = view.title, description = view.description, draft } = fields;
  const { base = view.base, branch = view.branch } = fields;
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change });
  const taken = branch === view.branch ? branchNote(view) : {};
  const incomplete = [title, base, branch].some((text) => text.trim() === "");
  const update = branch === view.branch && view.branchState === "outdated";
  const submit = () => {
    const { remote, pushAddress } = view;
    const input = { run, remote, pushAddress, base, branch, title, description, draft, update };
    open.mutate(input, { onSuccess: onDone });
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!incomplete && !open.isPending) submit();
      }}
    >
      {view.opened && (
        <p className="text-muted">
          Opened before from {view.opened.branch}: <PullRequestLink url={view.opened.url} />
        </p>
      )}
      <TextField label="Title" value={title} maxLength={200} onChange={(title) => set({ title })} />
      <TextArea
        label="Description"
        mono
        rows={8}
        value={description}
        onChange={(description) => set({ description })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="New branch"
          mono
          value={branch}
          onChange={(branch) => set({ branch })}
          {...taken}
        />
        <TextField label="Base branch" mono value={base} onChange={(base) => set({ base })} />
      </div>
      {view.remotes.length > 1 && (
        <Select
          label="Remote"
          options={view.remotes.map((name) => ({ id: name, label: name }))}
          value={view.remote}
          onChange={onRemote}
        />
      )}
      {view.tool.tool === "ready" && (
        <Switch
          label="Draft"
          hint="Marks it as not ready for review."
          checked={draft}
          onChange={(draft) => set({ draft })}
        />
      )}
      <PullRequestContents view={view} base={base} />
      {/* Stays in sight below a long description. */}
      <footer className="sticky -bottom-3 -mx-4 -mb-3 flex flex-col gap-2 rounded-b-card border-t bg-overlay px-4 py-3">
        <p className="select-text break-words text-12 text-muted">
          <InlineCodeText>{toolNote(view)}</InlineCodeText>
        </p>
        {open.error && (
          <p role="alert" className="select-text break-words text-12 text-danger-fg">
            {open.error.message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={incomplete || taken.error !== undefined}
            busy={open.isPending}
          >
            <GitPullRequest />
            {submitLabel(view)}
          </Button>
        </div>
      </footer>
    </form>
  );
}

/** What to say about a branch that exists. */
function branchNote({ branchState }: PullRequestView): { hint?: string; error?: string } {
  switch (branchState) {
    case "outdated":
      return { hint: "Exists. The newer work is added to it as another commit." };
    case "current":
      return { hint: "Exists, with this work." };
    case "foreign":
      return { error: "This branch has other commits. Choose another name." };
    case "new":
      return {};
  }
}

function submitLabel({ tool, opened }: PullRequestView): string {
  if (tool.tool !== "ready") return "Create branch";
  return opened ? "Update pull request" : "Open pull request";
}
