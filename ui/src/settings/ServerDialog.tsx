import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import type { McpServer } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { SegmentedControl } from "@/components/SegmentedControl";
import { TextField } from "@/components/TextField";
import { ArgumentsField } from "./ArgumentsField";
import { SaveDialog } from "./SaveDialog";
import { SecretKeyValueFields } from "./SecretKeyValueFields";
import {
  fromServerDraft,
  isServerReady,
  type OfferedTool,
  type ServerDraft,
  type ServerErrors,
  serverErrors,
  toServerDraft,
} from "./serverDraft";
import { TrustedTools } from "./TrustedTools";

export interface ServerDialogProps {
  /** The server to edit; undefined to add one. */
  server: McpServer | undefined;
  /** The tools of the server, once known. */
  tools: readonly OfferedTool[] | undefined;
  /** The names that are already in use. */
  taken: readonly string[];
  onClose: () => void;
}

/** Adds or edits a tool server: its name, connection and trusted tools. */
export function ServerDialog(props: ServerDialogProps): ReactElement {
  const { server, tools, taken, onClose } = props;
  const client = useQueryClient();
  const save = useMutationOperation("tool_server_save");
  const [draft, setDraft] = useState<ServerDraft>(() => toServerDraft(server));
  const errors = serverErrors(
    draft,
    taken.filter((name) => name !== server?.name),
  );
  const change = (next: Partial<ServerDraft>) => setDraft({ ...draft, ...next });

  function submit() {
    save.mutate(fromServerDraft(draft), {
      onSuccess: (servers) => {
        client.setQueryData(operationKey("tool_servers_list", {}), servers);
        onClose();
      },
    });
  }

  return (
    <SaveDialog
      title={server ? `Edit ${server.name}` : "Add a tool server"}
      description="A Model Context Protocol server. Nodes call its tools as name/tool."
      width={560}
      act={server ? "Save server" : "Add server"}
      ready={isServerReady(draft, errors)}
      save={save}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        mono
        placeholder="notes"
        hint={
          server
            ? "Used by nodes, so it can't be changed."
            : "The prefix in tool calls, as in notes/search."
        }
        error={errors.name}
        disabled={server !== undefined}
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <SegmentedControl
        label="Connection"
        value={draft.by}
        options={[
          { id: "stdio", label: "Program on this machine" },
          { id: "http", label: "Address" },
        ]}
        onChange={(by) => change({ by })}
      />
      <Connection draft={draft} faults={errors} onChange={change} />
      <TrustedTools
        trusted={draft.trusted}
        tools={tools}
        onChange={(trusted) => change({ trusted })}
      />
    </SaveDialog>
  );
}

interface ConnectionProps {
  draft: ServerDraft;
  faults: ServerErrors;
  onChange: (change: Partial<ServerDraft>) => void;
}

function Connection({ draft, faults, onChange }: ConnectionProps): ReactElement {
  if (draft.by === "http") {
    return (
      <>
        <TextField
          label="Address"
          mono
          placeholder="https://tools.example.com/mcp"
          hint="Streamable HTTP endpoint."
          error={faults.url}
          value={draft.url}
          onChange={(url) => onChange({ url })}
        />
        <SecretKeyValueFields
          label="Headers"
          noun="header"
          namePlaceholder="Authorization"
          pairs={draft.headers}
          error={faults.pairs}
          onChange={(headers) => onChange({ headers })}
        />
      </>
    );
  }
  return (
    <>
      <ArgumentsField
        command={draft.command}
        programFault={faults.program}
        placeholder="notes-server or /usr/local/bin/notes-server"
        note="Started for each session that calls it. It communicates over standard input and output. Arguments are passed without a shell."
        onChange={(command) => onChange({ command })}
      />
      <SecretKeyValueFields
        label="Variables"
        noun="variable"
        namePlaceholder="API_KEY"
        pairs={draft.env}
        error={faults.pairs}
        onChange={(env) => onChange({ env })}
      />
    </>
  );
}
