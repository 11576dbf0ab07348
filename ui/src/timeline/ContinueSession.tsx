import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import type { NodeId, RunId, SessionResumabilityRef } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { paths } from "@/shell/paths";
import { ContinueForm, type ContinueMode } from "./ContinueForm";

export interface ContinueSessionProps {
  /** A session that Baton ran, or a transcript of an agent's own history. */
  of: SessionResumabilityRef;
  /** The node whose latest session it is: there it goes on in its run. */
  node?: { run: RunId; node: NodeId } | undefined;
}

/** The acts below the timeline of a session that has ended: say something more to it, or to a copy of it. */
export function ContinueSession({ of, node }: ContinueSessionProps): ReactElement | null {
  const reach = useOperation("session_reach", of);
  const [way, setWay] = useState<ContinueMode>();
  const goOn = useMutationOperation("node_continue");
  const plan = useMutationOperation("session_plan");
  const navigate = useNavigate();
  if (!reach.data) return null;
  const { cannotContinue, cannotFork } = reach.data;
  const inItsRun = of.session !== null;
  const continuable = cannotContinue === null && (!inItsRun || node !== undefined);
  if (!continuable && cannotFork !== null) {
    return <p className="shrink-0 border-t px-4 py-1.5 text-12 text-faint">{cannotFork}</p>;
  }

  function send(message: string) {
    const close = () => setWay(undefined);
    if (way === "continue" && node && of.session !== null) {
      goOn.mutate({ ...node, session: of.session, message }, { onSuccess: close });
      return;
    }
    const wish = { ...of, message, fork: way === "fork", cwd: null };
    plan.mutate(wish, { onSuccess: (made) => void navigate(paths.blueprint(made.plan.id)) });
  }

  if (way === undefined) {
    return (
      <fieldset aria-label="Go on" className="flex shrink-0 gap-2 border-t px-4 py-2">
        {continuable && (
          <Button size="small" onClick={() => setWay("continue")}>
            Continue this session
          </Button>
        )}
        {cannotFork === null && (
          <Button size="small" onClick={() => setWay("fork")}>
            Fork
          </Button>
        )}
      </fieldset>
    );
  }
  return (
    <ContinueForm
      way={way}
      inItsRun={inItsRun}
      busy={goOn.isPending || plan.isPending}
      error={(goOn.error ?? plan.error)?.message}
      onSend={send}
      onClose={() => {
        goOn.reset();
        plan.reset();
        setWay(undefined);
      }}
    />
  );
}
