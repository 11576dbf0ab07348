import { type ReactElement, useState } from "react";
import type { AgentConnection } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CheckList } from "@/components/CheckList";
import { Skeleton } from "@/components/Skeleton";
import { AgentConnectionDialog } from "./AgentConnectionDialog";
import { connectionCheck, isConnected } from "./connectionText";

/** The agents with settings on this machine, and buttons to connect and disconnect them. */
export function AgentConnections({ onChanged }: { onChanged: () => void }): ReactElement {
  const { data, error, refetch } = useOperation(
    "agent_connections_list",
    {},
    { select: (agents) => agents.filter(({ used }) => used) },
  );
  const [chosen, setChosen] = useState<AgentConnection>();

  if (error)
    return (
      <p role="alert" className="text-danger-fg">
        {error.message}
      </p>
    );
  if (!data) return <Skeleton width={320} />;
  return (
    <>
      <ul className="flex flex-col gap-2">
        {data.map((agent) => (
          <li key={agent.agent} className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <CheckList checks={[connectionCheck(agent)]} />
            </div>
            <Button
              size="small"
              className="shrink-0"
              aria-label={`${verb(agent)} ${agent.agent}`}
              onClick={() => setChosen(agent)}
            >
              {verb(agent)}
            </Button>
          </li>
        ))}
      </ul>
      {chosen && (
        <AgentConnectionDialog
          agent={chosen}
          onClose={() => setChosen(undefined)}
          onSaved={() => {
            setChosen(undefined);
            void refetch();
            onChanged();
          }}
        />
      )}
    </>
  );
}

function verb(agent: AgentConnection): string {
  return isConnected(agent) ? "Change…" : "Connect…";
}
