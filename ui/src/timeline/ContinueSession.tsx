import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import type { NodeId, RunId, SessionResumabilityRef } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { removeDraft } from "@/shell/drafts";
import { paths } from "@/shell/paths";
import { ContinueForm, type ContinueMode } from "./ContinueForm";

export interface ContinueSessionProps {
  /** A session that Baton ran, or a transcript from an agent's history. */
  of: SessionResumabilityRef;
  /** The node whose latest session this is. The session then continues in that run. */
  node?: { run: RunId; node: NodeId } | undefined;
}

/** Buttons below the timeline of an ended session that continue or fork it with a new message. */
export function ContinueSession({ of, node }: ContinueSessionProps): ReactElement | null {
  const reach = useOperation("session_reach", of);
  const [mode, setMode] = useState<ContinueMode>();
  const continueNode = useMutationOperation("node_continue");
  const plan = useMutationOperation("session_plan");
  const navigate = useNavigate();
  if (!reach.data) return null;
  const { cannotContinue, cannotFork } = reach.data;
  const draftName = `message/${of.session ?? of.transcript}`;
  const inItsRun = of.session !== null;
  const continuable = cannotContinue === null && (!inItsRun || node !== undefined);
  if (!continuable && cannotFork !== null) {
    return <p className="shrink-0 border-t px-4 py-1.5 text-12 text-faint">{cannotFork}</p>;
  }

  function send(message: string) {
    const close = () => {
      removeDraft(draftName);
      setMode(undefined);
    };
    if (mode === "continue" && node && of.session !== null) {
      continueNode.mutate({ ...node, session: of.session, message }, { onSuccess: close });
      return;
    }
    const wish = { ...of, message, fork: mode === "fork", cwd: null };
    plan.mutate(wish, {
      onSuccess: (made) => {
        removeDraft(draftName);
        void navigate(paths.blueprint(made.plan.id));
      },
    });
  }

  if (mode === undefined) {
    return (
      <fieldset aria-label="Continue session" className="flex shrink-0 gap-2 border-t px-4 py-2">
        {continuable && (
          <Button size="small" onClick={() => setMode("continue")}>
            Continue this session
          </Button>
        )}
        {cannotFork === null && (
          <Button size="small" onClick={() => setMode("fork")}>
            Fork
          </Button>
        )}
      </fieldset>
    );
  }
  return (
    <ContinueForm
      draftName={draftName}
      mode={mode}
      inItsRun={inItsRun}
      busy={continueNode.isPending || plan.isPending}
      error={(continueNode.error ?? plan.error)?.message}
      onSend={send}
      onClose={() => {
        continueNode.reset();
        plan.reset();
        setMode(undefined);
      }}
    />
  );
}
