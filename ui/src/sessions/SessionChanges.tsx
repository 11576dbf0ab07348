import type { ReactElement } from "react";
import { useNavigate } from "react-router";
import type { SessionView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ChangesView } from "@/review/ChangesView";
import { paths } from "@/shell/paths";

/** What the node of a session had changed by its end. */
export function SessionChanges({ session }: { session: SessionView }): ReactElement {
  const { run, node, plan } = session;
  const attempts = useOperation("node_attempts", { run, node });
  const lastRun = useOperation("plan_get", { plan }).data?.lastRun;
  const navigate = useNavigate();
  return (
    <ChangesView
      run={run}
      node={node}
      attempt={session}
      attempts={(attempts.data ?? [])
        .map(({ attempt }) => attempt)
        .sort((one, other) => other - one)}
      onSent={() => {
        // The node's page shows the last run only.
        if (lastRun?.id === run) void navigate(paths.node(plan, node));
      }}
    />
  );
}
