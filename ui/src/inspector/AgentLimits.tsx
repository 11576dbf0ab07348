import { X } from "lucide-react";
import type { ReactElement } from "react";
import type { PlanSettings } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Combobox } from "@/components/Combobox";
import { IconButton } from "@/components/IconButton";
import { MixedNumberField } from "./MixedNumberField";

export interface AgentLimitsProps {
  /** The maximum number of parallel sessions, by agent ID. */
  limits: PlanSettings["agentConcurrency"];
  onChange: (limits: Record<string, number>, key: string) => void;
}

const firstLimit = 2;

/** Limits the parallel sessions of single agents. Other agents have no limit of their own. */
export function AgentLimits({ limits, onChange }: AgentLimitsProps): ReactElement {
  const { data: agents = [] } = useOperation("agents_list", {});
  const titleOf = (id: string) => agents.find((agent) => agent.id === id)?.title ?? id;
  const set = Object.entries(limits);
  const others = agents.filter(({ id }) => !(id in limits));

  return (
    <div className="flex flex-col gap-1">
      <Combobox
        label="Max parallel sessions per agent"
        value={[]}
        placeholder={set.length === 0 ? "No agent limits; add an agent" : "Add an agent"}
        emptyText="No more agents"
        options={others.map(({ id, title }) => ({ id, label: title }))}
        onCreate={(id) => onChange({ ...limits, [id]: firstLimit }, `plan.agents ${id}`)}
        onChange={([id]) =>
          id !== undefined && onChange({ ...limits, [id]: firstLimit }, `plan.agents ${id}`)
        }
      />
      {set.length > 0 && (
        <ul aria-label="Agent limits" className="flex flex-col gap-1">
          {set.map(([id, limit]) => (
            <li
              key={id}
              className="grid grid-cols-[minmax(0,1fr)_--spacing(18)_--spacing(6)] items-center gap-1 pl-2"
            >
              <span className="truncate" title={id}>
                {titleOf(id)}
              </span>
              <MixedNumberField
                label={`Max parallel sessions of ${titleOf(id)}`}
                labelHidden
                value={limit}
                min={1}
                max={1_000}
                onChange={(most) => onChange({ ...limits, [id]: most }, `plan.agents ${id}`)}
              />
              <IconButton
                size="small"
                label={`Remove limit for ${titleOf(id)}`}
                icon={<X />}
                onClick={() => {
                  const { [id]: _, ...rest } = limits;
                  onChange(rest, `plan.agents remove ${id}`);
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
