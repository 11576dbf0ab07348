import { type ReactElement, useEffect, useRef } from "react";
import type { RequestView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { useKeysFor } from "@/commands/keyBindings";
import { Button } from "@/components/Button";
import { isPageRoot } from "@/components/isPageRoot";
import { ActionRow } from "@/pending/ActionRow";
import { requesterName } from "@/pending/agentRequest";
import { YesNoButtons } from "@/pending/YesNoButtons";

export interface RequestActionsProps {
  request: RequestView;
  /** It waits no more; what is left is to read why. */
  ended: boolean;
  onDone: (words: string) => void;
  onFailed: () => void;
  onDismiss: () => void;
}

/** Carries a request out in the person's name, or refuses it. */
export function RequestActions(props: RequestActionsProps): ReactElement {
  const { request, ended, onDone, onFailed, onDismiss } = props;
  const allow = useMutationOperation("request_allow");
  const refuse = useMutationOperation("request_refuse");
  const who = requesterName(request);
  const [isAllowed, isRefused] = [
    allow.isPending || allow.isSuccess,
    refuse.isPending || refuse.isSuccess,
  ];
  const act = (yes: boolean) => {
    // A decision that was taken stays taken until the row leaves.
    if (isAllowed || isRefused) return;
    const [chosen, other] = yes ? [allow, refuse] : [refuse, allow];
    other.reset();
    // The promise is told of its end also when the row has left the page meanwhile.
    void chosen
      .mutateAsync({ request: request.id })
      .then(
        () => onDone(yes ? `Request of ${who} carried out` : `Request of ${who} refused`),
        onFailed,
      );
  };
  return (
    <ActionRow
      error={(allow.error ?? refuse.error)?.message}
      lead={allow.error ? "Not carried out." : "Not refused."}
    >
      {ended ? (
        <Dismiss onDismiss={onDismiss} />
      ) : (
        <YesNoButtons
          yes="Allow"
          no="Refuse"
          sending={isAllowed ? true : isRefused ? false : undefined}
          onAnswer={act}
        />
      )}
    </ActionRow>
  );
}

/** Puts away a request that has ended. It stands where the two acts were, and takes the focus that one of them had. */
function Dismiss({ onDismiss }: { onDismiss: () => void }): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const keys = useKeysFor("inbox_no");
  useEffect(() => {
    if (isPageRoot(document.activeElement)) button.current?.focus();
  }, []);
  return (
    <Button
      ref={button}
      size="small"
      aria-keyshortcuts={keys}
      data-answer="inbox_no"
      onClick={onDismiss}
    >
      Dismiss
    </Button>
  );
}
