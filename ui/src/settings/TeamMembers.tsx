import { ArrowUp, X } from "lucide-react";
import type { ReactElement } from "react";
import type { AgentView } from "@/api/bindings";
import { Combobox } from "@/components/Combobox";
import { IconButton } from "@/components/IconButton";
import { moveUp } from "./teamDraft";

/** The ordered members of a team, preferred one first. */
export function TeamMembers({
  members,
  agents,
  onChange,
}: {
  members: readonly string[];
  agents: readonly AgentView[];
  onChange: (members: string[]) => void;
}): ReactElement {
  const titleOf = (id: string) => agents.find((agent) => agent.id === id)?.title ?? id;
  const noteOf = (id: string) => {
    const agent = agents.find((other) => other.id === id);
    if (!agent) return "unknown";
    return agent.path === null ? "not found" : undefined;
  };
  const others = agents.filter(({ id }) => !members.includes(id));
  return (
    <div className="flex flex-col gap-1">
      <Combobox
        label="Members"
        value={[]}
        placeholder={members.length === 0 ? "Add the preferred agent first" : "Add an agent"}
        emptyText="No more agents"
        options={others.map(({ id, title, path }) => ({
          id,
          label: title,
          ...(path === null && { note: "not found" }),
        }))}
        onChange={([id]) => id !== undefined && onChange([...members, id])}
      />
      {members.length > 0 && (
        <ol aria-label="Members in order" className="flex flex-col gap-1">
          {members.map((id, at) => (
            <li
              key={id}
              className="grid grid-cols-[--spacing(4)_minmax(0,1fr)_auto_--spacing(6)_--spacing(6)] items-center gap-1 pl-2"
            >
              <span aria-hidden="true" className="text-12 text-faint tabular-nums">
                {at + 1}
              </span>
              <span className="truncate" title={id}>
                {titleOf(id)}
              </span>
              <span className="text-12 text-muted">{noteOf(id)}</span>
              <IconButton
                size="small"
                label={`Move ${titleOf(id)} up`}
                icon={<ArrowUp />}
                disabled={at === 0}
                onClick={() => onChange(moveUp(members, at))}
              />
              <IconButton
                size="small"
                label={`Remove ${titleOf(id)} from the team`}
                icon={<X />}
                onClick={() => onChange(members.filter((other) => other !== id))}
              />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
