import { type ReactElement, useState } from "react";
import type { AgentConnection, AgentConnectionPreview, ConnectionChange } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Select } from "@/components/Select";
import { Skeleton } from "@/components/Skeleton";
import { showToast } from "@/components/toasts";
import {
  type ConnectionChoice,
  choiceOf,
  choicesFor,
  describeNote,
  fileEffects,
  isConnected,
} from "./connectionText";
import { UnifiedDiff } from "./UnifiedDiff";

interface AgentConnectionDialogProps {
  agent: AgentConnection;
  onClose: () => void;
  onSaved: () => void;
}

/** Connects or disconnects an agent, after showing how its files change. */
export function AgentConnectionDialog({
  agent,
  onClose,
  onSaved,
}: AgentConnectionDialogProps): ReactElement {
  const [choice, setChoice] = useState<ConnectionChoice>(choiceOf(agent));
  const input = { agents: [agent.agent], change: changes[choice] };
  const preview = useOperation("agent_connections_preview", input, {
    // The files may change at any time, and nobody tells.
    staleTime: 0,
    gcTime: 0,
  });
  const save = useMutationOperation("agent_connections_save");
  const files = preview.data?.files ?? [];

  function write() {
    const fingerprint = preview.data?.fingerprint ?? null;
    save.mutate(
      { ...input, fingerprint },
      {
        onSuccess: () => {
          showToast({ kind: "info", title: `Restart ${agent.agent} to use the changes` });
          onSaved();
        },
        onError: ({ message }) => {
          showToast({ kind: "error", title: "Couldn't change the settings", detail: message });
          void preview.refetch();
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={
        isConnected(agent)
          ? `Change the connection of ${agent.agent}`
          : `Connect ${agent.agent} to Baton`
      }
      description="A connected agent can propose blueprints and follow runs. Approving stays with you."
      width={680}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={save.isPending}
            disabled={files.length === 0 || preview.isFetching}
            onClick={write}
          >
            Write changes
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Select
          label="Connection"
          options={choicesFor(agent)}
          value={choice}
          onChange={setChoice}
          hint="Guarded are the tools of the settings and of a project's rules."
        />
        {preview.error ? (
          <p role="alert" className="text-danger-fg">
            {preview.error.message}
          </p>
        ) : preview.data ? (
          <Preview preview={preview.data} />
        ) : (
          <Skeleton width={320} />
        )}
      </div>
    </Dialog>
  );
}

function Preview({ preview }: { preview: AgentConnectionPreview }): ReactElement {
  if (preview.files.length === 0)
    return <p className="text-muted">Nothing to change: the files are like this already.</p>;
  return (
    <>
      {preview.notes.map((note) => (
        <p key={`${note.note} ${note.agent}`} className="text-muted">
          {describeNote(note)}
        </p>
      ))}
      {preview.files.map(({ path, effect, diff }) => (
        <div key={path} className="flex flex-col gap-1">
          <p className="select-text break-words text-12 text-muted">
            <span className="font-medium text-fg">{path}</span> {fileEffects[effect]}
          </p>
          <UnifiedDiff label={`Changes to ${path}`} text={diff} />
        </div>
      ))}
    </>
  );
}

const changes: Record<ConnectionChoice, ConnectionChange> = {
  off: { to: "connected", guard: "off" },
  log: { to: "connected", guard: "log" },
  block: { to: "connected", guard: "block" },
  plain: { to: "connected", guard: null },
  disconnected: { to: "disconnected" },
};
