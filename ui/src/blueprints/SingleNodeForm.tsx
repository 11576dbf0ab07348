import { type FormEvent, type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CodeField } from "@/components/CodeField";
import { TextField } from "@/components/TextField";
import { paths } from "@/shell/paths";
import { ActionError } from "./ActionError";
import { DirectoryPicker } from "./DirectoryPicker";
import { type SingleNodeDraft, singleNodePlan, singleNodeTitle } from "./singleNodePlan";

const words = {
  command: {
    label: "Command",
    hint: "One or more lines for sh. The output becomes the handoff.",
    placeholder: "cargo test",
  },
  agent: {
    label: "Prompt",
    hint: "Markdown. It runs with the default agent from Settings, unless the blueprint sets another.",
    placeholder: "Read the code in src/ and list what is not tested",
  },
} as const;

/** Creates a blueprint with one node from its command or prompt. */
export function SingleNodeForm({ kind }: { kind: SingleNodeDraft["kind"] }): ReactElement {
  const navigate = useNavigate();
  const create = useMutationOperation("plan_import");
  const [draft, setDraft] = useState({ title: "", task: "", cwd: null as string | null });
  const { label, hint, placeholder } = words[kind];
  const node = { kind, task: draft.task, title: draft.title };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!draft.task.trim() || create.isPending) return;
    create.mutate(
      { fileName: "blueprint.json", text: singleNodePlan(node), cwd: draft.cwd?.trim() || null },
      { onSuccess: ({ plan }) => void navigate(paths.blueprint(plan.plan.id)) },
    );
  }

  return (
    <form onSubmit={submit} className="flex max-w-140 flex-col gap-4">
      <CodeField
        label={label}
        hint={hint}
        language={kind === "command" ? "shell" : "markdown"}
        placeholder={placeholder}
        value={draft.task}
        onChange={(task) => setDraft({ ...draft, task })}
      />
      <TextField
        label="Title"
        dir="auto"
        maxLength={500}
        placeholder={singleNodeTitle(node)}
        hint="If empty, the first line of the task."
        value={draft.title}
        onChange={(title) => setDraft({ ...draft, title })}
      />
      <DirectoryPicker value={draft.cwd} onChange={(cwd) => setDraft({ ...draft, cwd })} />
      <ActionError title="Couldn't create the blueprint" error={create.error} />
      <div>
        <Button type="submit" kind="primary" busy={create.isPending} disabled={!draft.task.trim()}>
          Create blueprint
        </Button>
      </div>
    </form>
  );
}
