import { type FormEvent, type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { TextArea } from "@/components/TextArea";
import { TextField } from "@/components/TextField";
import { paths } from "@/shell/paths";
import { ActionError } from "./ActionError";
import { DirectoryPicker } from "./DirectoryPicker";

/** Creates an empty blueprint with a title, a goal and a directory. */
export function BlankForm(): ReactElement {
  const navigate = useNavigate();
  const create = useMutationOperation("plan_create");
  const [draft, setDraft] = useState({ title: "", description: "", cwd: null as string | null });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!draft.title.trim() || create.isPending) return;
    create.mutate(
      { ...draft, description: draft.description.trim() },
      { onSuccess: (view) => void navigate(paths.blueprint(view.plan.id)) },
    );
  }

  return (
    <form onSubmit={submit} className="flex max-w-140 flex-col gap-4">
      <TextField
        label="Title"
        dir="auto"
        autoFocus
        maxLength={500}
        placeholder="Release notes"
        value={draft.title}
        onChange={(title) => setDraft({ ...draft, title })}
      />
      <TextArea
        label="Goal"
        dir="auto"
        placeholder="What should be true when it's done?"
        hint="Every agent in the blueprint sees the goal."
        value={draft.description}
        onChange={(description) => setDraft({ ...draft, description })}
      />
      <DirectoryPicker value={draft.cwd} onChange={(cwd) => setDraft({ ...draft, cwd })} />
      <ActionError title="Couldn't create the blueprint" error={create.error} />
      <div>
        <Button type="submit" kind="primary" busy={create.isPending} disabled={!draft.title.trim()}>
          Create blueprint
        </Button>
      </div>
    </form>
  );
}
