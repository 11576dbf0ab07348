import { Plus, RefreshCw } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { McpServer } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { DeleteServerDialog } from "./DeleteServerDialog";
import { ServerDialog } from "./ServerDialog";
import { ServerRow } from "./ServerRow";
import { SettingsSection } from "./SettingsSection";
import { serverToolsResult } from "./serverDraft";

/** The open dialog and its subject. */
type OpenDialog =
  | { kind: "add" }
  | { kind: "edit"; server: McpServer }
  | { kind: "delete"; server: McpServer };

/** The tool servers with their connections, status and tools. */
export function ServersSection(): ReactElement {
  const servers = useOperation("tool_servers_list", {});
  const some = (servers.data?.length ?? 0) > 0;
  // Listing tools starts programs or sends requests, so do it only if there are servers.
  const offers = useOperation("tools_of_servers", {}, { enabled: some, retry: false });
  const [dialog, openDialog] = useState<OpenDialog>();
  const close = () => openDialog(undefined);
  const answer = (name: string) =>
    offers.data && serverToolsResult(name, offers.data, offers.isFetching);
  const edited = dialog?.kind === "edit" ? dialog.server : undefined;
  const editedAnswer = edited && answer(edited.name);

  return (
    <SettingsSection
      title="Tool servers"
      note="Model Context Protocol servers. Nodes can call their tools in addition to Baton's built-in tools."
      action={
        <div className="flex gap-1.5">
          {some && (
            <Button busy={offers.isFetching} onClick={() => void offers.refetch()}>
              {!offers.isFetching && <RefreshCw aria-hidden="true" />}
              Check
            </Button>
          )}
          <Button onClick={() => openDialog({ kind: "add" })}>
            <Plus aria-hidden="true" />
            Add server
          </Button>
        </div>
      }
    >
      {offers.error && some && (
        <p role="alert" className="select-text text-danger-fg">
          {offers.error.message}
        </p>
      )}
      <div className="overflow-hidden rounded-card border">
        {servers.data ? (
          <ul className="divide-y divide-line">
            {servers.data.map((server) => (
              <ServerRow
                key={server.name}
                server={server}
                answer={answer(server.name)}
                loading={offers.isFetching}
                onEdit={() => openDialog({ kind: "edit", server })}
                onDelete={() => openDialog({ kind: "delete", server })}
              />
            ))}
            {!some && (
              <li className="px-3 py-2.5 text-muted">
                No servers yet. Baton's built-in tools are always available.
              </li>
            )}
          </ul>
        ) : servers.error ? (
          <ErrorState
            title="Couldn't load the tool servers"
            detail={servers.error.code}
            onRetry={() => void servers.refetch()}
            retrying={servers.isFetching}
          >
            {servers.error.message}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Loading tool servers" className="px-3 py-2">
            <Skeleton width={140} />
            <Skeleton width={260} />
          </div>
        )}
      </div>
      {(dialog?.kind === "add" || edited) && (
        <ServerDialog
          server={edited}
          tools={editedAnswer?.kind === "offers" ? editedAnswer.tools : undefined}
          taken={servers.data?.map(({ name }) => name) ?? []}
          onClose={close}
        />
      )}
      {dialog?.kind === "delete" && <DeleteServerDialog server={dialog.server} onClose={close} />}
    </SettingsSection>
  );
}
