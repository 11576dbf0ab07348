import { useNavigate } from "react-router";
import type { ProposalView, ProposedChange, RejectionReason } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { removeDraft } from "@/shell/drafts";
import { paths } from "@/shell/paths";

/** The actions on a proposal. `error` is that of the last action. */
export function useProposalActions({ summary: { id, rounds: round } }: ProposalView) {
  const navigate = useNavigate();
  const accept = useMutationOperation("proposal_accept");
  const reject = useMutationOperation("proposal_reject");
  const retry = useMutationOperation("proposal_retry");
  const cancel = useMutationOperation("proposal_cancel");
  const feedbackDraft = `feedback/${id}`;
  const onSent = { onSuccess: () => removeDraft(feedbackDraft) };
  const all = [accept, reject, retry, cancel];

  return {
    busy: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error ?? null,
    /** Accepts these changes, or all, and opens the blueprint. */
    accept(changes: ProposedChange[] | null, resume: boolean) {
      accept.mutate(
        { proposal: id, round, changes, resume },
        {
          onSuccess: ({ plan, run }) =>
            void navigate(
              run ? paths.blueprintAt(plan.plan.id, { run }) : paths.blueprint(plan.plan.id),
            ),
        },
      );
    },
    /** The name under which typed feedback is kept until it is sent. */
    feedbackDraft,
    reject: (reason: RejectionReason | undefined, feedback: string, again: boolean) =>
      reject.mutate({ proposal: id, round, reason: reason ?? null, feedback, again }, onSent),
    retry: (feedback: string) => retry.mutate({ proposal: id, feedback }, onSent),
    cancel: () => cancel.mutate({ proposal: id }),
  };
}

export type ProposalActions = ReturnType<typeof useProposalActions>;
