import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import type { AgentProtocol, AgentView } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Select } from "@/components/Select";
import { TextField } from "@/components/TextField";
import { ArgumentsField } from "./ArgumentsField";
import {
  type AgentDraft,
  draftFaults,
  freshCommand,
  isReady,
  protocolHint,
  protocolOptions,
  savedCommand,
} from "./agentDraft";

/** Writes an agent of the person's own: a name and a command line. */
export function AgentDialog({
  agent,
  taken,
  onClose,
}: {
  /** The agent that is changed; none for a new one. */
  agent: AgentView | undefined;
  /** The names that are in use. */
  taken: readonly string[];
  onClose: () => void;
}): ReactElement {
  const client = useQueryClient();
  const save = useMutationOperation("agent_save");
  const [draft, setDraft] = useState<AgentDraft>({
    id: agent?.id ?? "",
    protocol: agent?.protocol ?? "plain",
    command: agent?.command ?? freshCommand("plain", ""),
  });
  const faults = draftFaults(
    draft,
    taken.filter((id) => id !== agent?.id),
  );

  function submit() {
    save.mutate(
      { id: draft.id, command: savedCommand(draft.command), protocol: draft.protocol },
      {
        onSuccess: (agents) => {
          client.setQueryData(operationKey("agents_list", {}), agents);
          onClose();
        },
      },
    );
  }

  /** Arguments that nobody has touched follow the protocol. */
  function speak(protocol: AgentProtocol) {
    const program = draft.command[0] ?? "";
    const untouched = draft.command.join("\n") === freshCommand(draft.protocol, program).join("\n");
    const command = untouched ? freshCommand(protocol, program) : draft.command;
    setDraft({ ...draft, protocol, command });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={agent ? `Edit ${agent.title}` : "Add an agent"}
      description="Any program that takes a prompt, works in its directory and ends."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={save.isPending}
            disabled={!isReady(draft, faults)}
            onClick={submit}
          >
            {agent ? "Save agent" : "Add agent"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label="Name"
          mono
          placeholder="my-agent"
          hint={
            agent
              ? "Plan files call it so; it cannot be changed."
              : "What nodes and plan files call it."
          }
          error={faults.id}
          disabled={agent !== undefined}
          value={draft.id}
          onChange={(id) => setDraft({ ...draft, id: id.trim() })}
        />
        <Select
          label="Protocol"
          hint={protocolHint(draft.protocol)}
          options={protocolOptions}
          value={draft.protocol}
          onChange={speak}
        />
        <ArgumentsField
          command={draft.command}
          programFault={faults.program}
          placeholder="my-agent or /usr/local/bin/my-agent"
          note={
            draft.protocol === "plain" && (
              <>
                <code>{"{prompt_file}"}</code> becomes the path of a file that holds the prompt.
                Without it the prompt comes on standard input. Arguments go to the program as they
                are; no shell reads them.
              </>
            )
          }
          onChange={(command) => setDraft({ ...draft, command })}
        />
        {save.error && (
          <p role="alert" className="text-danger-fg">
            {save.error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}
