import { CircleAlert, CircleCheck, Pencil, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import type { McpServer } from "@/api/bindings";
import { IconButton } from "@/components/IconButton";
import { Pill } from "@/components/Pill";
import { Skeleton } from "@/components/Skeleton";
import { toSentence } from "@/components/toSentence";
import { maskCommand, maskError, maskUrl } from "./maskSecrets";
import { type OfferedTool, type ServerToolsResult, unreachableHint } from "./serverDraft";
import { ToolBadges } from "./ToolBadges";

export interface ServerRowProps {
  server: McpServer;
  /** Its tools or an error; undefined while unknown. */
  answer: ServerToolsResult | undefined;
  /** Whether its tools are being loaded. */
  loading: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

/** One server: its connection, status and tools, or how to fix it. */
export function ServerRow(props: ServerRowProps): ReactElement {
  const { server, answer, loading, onEdit, onDelete } = props;
  const { name, transport } = server;
  const reached =
    transport.kind === "stdio"
      ? maskCommand([transport.command, ...transport.args])
      : maskUrl(transport.url);
  const given = Object.keys(transport.kind === "stdio" ? transport.env : transport.headers);
  return (
    <li className="flex items-start gap-3 px-3 py-2.5">
      <div className="min-w-0 flex-1">
        <div className="flex min-h-5 flex-wrap items-center gap-x-2">
          <h3 className="font-medium">{name}</h3>
          <Pill>{transport.kind === "stdio" ? "Program" : "Address"}</Pill>
        </div>
        <p className="select-text truncate font-mono text-12 text-muted" title={reached}>
          {reached}
        </p>
        {given.length > 0 && (
          <p className="truncate text-12 text-muted">
            {transport.kind === "stdio" ? "Variables: " : "Headers: "}
            <code>{given.join(", ")}</code>
          </p>
        )}
        {answer?.kind === "unreachable" && (
          <p className="mt-1 select-text break-words text-12">
            <span className="text-danger-fg">{toSentence(maskError(answer.error))}</span>{" "}
            {unreachableHint(server)}
          </p>
        )}
        {answer?.kind === "offers" && <Offered server={server} tools={answer.tools} />}
        {!answer && loading && <Skeleton width={160} />}
      </div>
      <Sign answer={answer} loading={loading} />
      <div className="flex gap-0.5">
        <IconButton label={`Edit ${name}`} size="small" icon={<Pencil />} onClick={onEdit} />
        <IconButton label={`Delete ${name}`} size="small" icon={<Trash2 />} onClick={onDelete} />
      </div>
    </li>
  );
}

function Sign({ answer, loading }: Pick<ServerRowProps, "answer" | "loading">): ReactElement {
  const look = "flex shrink-0 items-center gap-1.5 text-12";
  if (!answer) {
    return <span className={`${look} text-muted`}>{loading ? "Checking…" : "Not checked"}</span>;
  }
  if (answer.kind === "unreachable") {
    return (
      <span className={`${look} text-danger-fg`}>
        <CircleAlert className="size-4" aria-hidden="true" />
        Not responding
      </span>
    );
  }
  const { length } = answer.tools;
  return (
    <span className={`${look} text-state-done`}>
      <CircleCheck className="size-4" aria-hidden="true" />
      {length === 1 ? "1 tool" : `${length} tools`}
    </span>
  );
}

function Offered(props: { server: McpServer; tools: readonly OfferedTool[] }): ReactElement {
  const { server, tools } = props;
  if (tools.length === 0)
    return <p className="mt-1 text-12 text-muted">Connected. The server has no tools.</p>;
  return (
    <details className="mt-1">
      <summary className="w-fit cursor-default rounded-small text-12 text-muted hover:text-fg">
        Show tools of {server.name}
      </summary>
      <ul className="mt-1 flex flex-col gap-1">
        {tools.map((tool) => (
          <li key={tool.name} className="flex items-start gap-2">
            <div className="min-w-0 flex-1 select-text text-12">
              <code className="break-all">
                {server.name}/{tool.name}
              </code>
              {tool.description && (
                <p
                  dir="auto"
                  className="line-clamp-3 break-words text-muted"
                  title={tool.description}
                >
                  {tool.description}
                </p>
              )}
            </div>
            {isTrusted(server, tool) && <Pill tone="accent">Trusted</Pill>}
            <ToolBadges tool={tool} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function isTrusted({ trusted }: McpServer, { name }: OfferedTool): boolean {
  return trusted.includes("*") || trusted.includes(name);
}
