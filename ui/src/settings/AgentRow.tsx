import { CircleAlert, CircleCheck, CircleHelp, Pencil, Trash2 } from "lucide-react";
import { type ReactElement, useId } from "react";
import type { AgentView } from "@/api/bindings";
import { FixText } from "@/components/FixText";
import { IconButton } from "@/components/IconButton";
import { Pill } from "@/components/Pill";
import { useSettingsChange } from "@/shell/useSettingsChange";

/** One agent: whether it was found, how to fix it if not, and whether it is the default. */
export function AgentRow({
  agent,
  onEdit,
  onDelete,
}: {
  agent: AgentView;
  onEdit: () => void;
  onDelete: () => void;
}): ReactElement {
  const { id, title, custom, path, version, mend, command } = agent;
  const change = useSettingsChange();
  const radio = useId();
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2.5">
      <input
        type="radio"
        id={radio}
        name="default-agent"
        checked={agent.default}
        onChange={() => void change({ defaultAgent: id })}
        title="Default agent"
        className="mt-1 size-3.5 shrink-0 accent-accent"
      />
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex min-h-5 flex-wrap items-center gap-x-2">
          <label htmlFor={radio} className="font-medium">
            {title}
          </label>
          {title !== id && <code className="text-12 text-faint">{id}</code>}
          {agent.default && <Pill tone="accent">Default</Pill>}
          {custom && <Pill>Custom</Pill>}
        </div>
        <p className="flex select-text flex-wrap gap-x-2 text-12 text-muted">
          {path !== null && <code className="break-all">{path}</code>}
          {version !== null && <span className="tabular-nums">version {version}</span>}
        </p>
        {custom && command.length > 0 && (
          <p
            className="select-text truncate font-mono text-12 text-faint"
            title={command.join(" ")}
          >
            {command.join(" ")}
          </p>
        )}
        <p className="text-12 text-faint">{agent.reach.sentence}</p>
        {mend !== null && (
          <p className="mt-0.5 select-text break-words text-12">
            <FixText>{mend}</FixText>
          </p>
        )}
      </div>
      <Sign agent={agent} />
      {custom && (
        <div className="flex gap-0.5">
          <IconButton label={`Edit ${title}`} size="small" icon={<Pencil />} onClick={onEdit} />
          <IconButton label={`Delete ${title}`} size="small" icon={<Trash2 />} onClick={onDelete} />
        </div>
      )}
    </div>
  );
}

/** Whether the agent was found and is logged in, as far as Baton can tell. */
function Sign({ agent: { path, loggedIn, custom } }: { agent: AgentView }): ReactElement {
  if (path === null) {
    return (
      <span className="flex shrink-0 items-center gap-1.5 text-12 text-danger-fg">
        <CircleAlert className="size-4" aria-hidden="true" />
        Not found
      </span>
    );
  }
  if (loggedIn) {
    return (
      <span className="flex shrink-0 items-center gap-1.5 text-12 text-state-done">
        <CircleCheck className="size-4" aria-hidden="true" />
        Found, logged in
      </span>
    );
  }
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-12 text-muted">
      {custom ? (
        <CircleCheck className="size-4 text-state-done" aria-hidden="true" />
      ) : (
        <CircleHelp className="size-4" aria-hidden="true" />
      )}
      {custom ? "Found" : "Found, login unknown"}
    </span>
  );
}
