import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import type { AgentProtocol, AgentView } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { Select } from "@/components/Select";
import { TextField } from "@/components/TextField";
import { ArgumentsField } from "./ArgumentsField";
import {
  type AgentDraft,
  defaultCommand,
  draftErrors,
  isReady,
  protocolHint,
  protocolOptions,
  trimCommand,
} from "./agentDraft";
import { SaveDialog } from "./SaveDialog";

/** Adds or edits a custom agent: a name, a protocol and a command line. */
export function AgentDialog({
  agent,
  taken,
  onClose,
}: {
  /** The agent to edit; undefined to add one. */
  agent: AgentView | undefined;
  /** The names that are already in use. */
  taken: readonly string[];
  onClose: () => void;
}): ReactElement {
  const client = useQueryClient();
  const save = useMutationOperation("agent_save");
  const [draft, setDraft] = useState<AgentDraft>({
    id: agent?.id ?? "",
    protocol: agent?.protocol ?? "plain",
    command: agent?.command ?? defaultCommand("plain", ""),
  });
  const faults = draftErrors(
    draft,
    taken.filter((id) => id !== agent?.id),
  );

  function submit() {
    save.mutate(
      { id: draft.id, command: trimCommand(draft.command), protocol: draft.protocol },
      {
        onSuccess: (agents) => {
          client.setQueryData(operationKey("agents_list", {}), agents);
          onClose();
        },
      },
    );
  }

  /** Changes the protocol, and the default arguments with it unless they were edited. */
  function changeProtocol(protocol: AgentProtocol) {
    const program = draft.command[0] ?? "";
    const untouched =
      draft.command.join("\n") === defaultCommand(draft.protocol, program).join("\n");
    const command = untouched ? defaultCommand(protocol, program) : draft.command;
    setDraft({ ...draft, protocol, command });
  }

  return (
    <SaveDialog
      title={agent ? `Edit ${agent.title}` : "Add an agent"}
      description="Any program that takes a prompt, works in the current directory and exits."
      act={agent ? "Save agent" : "Add agent"}
      ready={isReady(draft, faults)}
      save={save}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        mono
        placeholder="my-agent"
        hint={
          agent ? "Used in plan files, so it can't be changed." : "Used in nodes and plan files."
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
        onChange={changeProtocol}
      />
      <ArgumentsField
        command={draft.command}
        programFault={faults.program}
        placeholder="my-agent or /usr/local/bin/my-agent"
        note={
          draft.protocol === "plain" && (
            <>
              <code>{"{prompt_file}"}</code> is replaced with the path of a file that contains the
              prompt. Without it, the prompt is sent to standard input. Arguments are passed as is,
              without a shell.
            </>
          )
        }
        onChange={(command) => setDraft({ ...draft, command })}
      />
    </SaveDialog>
  );
}
