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

/** What is asked about a server at the moment. */
type Asked =
  | { kind: "add" }
  | { kind: "edit"; server: McpServer }
  | { kind: "delete"; server: McpServer };

/** The tool servers: how they are reached, whether they answer, and what they offer. */
export function ServersSection(): ReactElement {
  const servers = useOperation("tool_servers_list", {});
  const some = (servers.data?.length ?? 0) > 0;
  // To ask a server is to start it or to call somebody: only while there is one.
  const offers = useOperation("tools_of_servers", {}, { enabled: some, retry: false });
  const [asked, ask] = useState<Asked>();
  const close = () => ask(undefined);
  const answer = (name: string) =>
    offers.data && serverToolsResult(name, offers.data, offers.isFetching);
  const edited = asked?.kind === "edit" ? asked.server : undefined;
  const editedAnswer = edited && answer(edited.name);

  return (
    <SettingsSection
      title="Tool servers"
      note="Model Context Protocol servers. Nodes can call their tools in addition to Baton’s built-in tools."
      action={
        <div className="flex gap-1.5">
          {some && (
            <Button busy={offers.isFetching} onClick={() => void offers.refetch()}>
              {!offers.isFetching && <RefreshCw aria-hidden="true" />}
              Check
            </Button>
          )}
          <Button onClick={() => ask({ kind: "add" })}>
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
                onEdit={() => ask({ kind: "edit", server })}
                onDelete={() => ask({ kind: "delete", server })}
              />
            ))}
            {!some && (
              <li className="px-3 py-2.5 text-muted">
                No server yet. Baton’s built-in tools are always available.
              </li>
            )}
          </ul>
        ) : servers.error ? (
          <ErrorState
            title="Couldn’t load the tool servers"
            detail={servers.error.code}
            onRetry={() => void servers.refetch()}
            retrying={servers.isFetching}
          >
            {servers.error.message}
          </ErrorState>
        ) : (
          <div role="status" aria-label="Reading the tool servers" className="px-3 py-2">
            <Skeleton width={140} />
            <Skeleton width={260} />
          </div>
        )}
      </div>
      {(asked?.kind === "add" || edited) && (
        <ServerDialog
          server={edited}
          tools={editedAnswer?.kind === "offers" ? editedAnswer.tools : undefined}
          taken={servers.data?.map(({ name }) => name) ?? []}
          onClose={close}
        />
      )}
      {asked?.kind === "delete" && <DeleteServerDialog server={asked.server} onClose={close} />}
    </SettingsSection>
  );
}
