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
  /** The request is no longer open. Only its error is left to read. */
  ended: boolean;
  onDone: (words: string) => void;
  onFailed: () => void;
  onDismiss: () => void;
}

/** Buttons that allow or deny a request. An allowed call runs in the user's name. */
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
    // A second click before the row is removed must not send another decision.
    if (isAllowed || isRefused) return;
    const [chosen, other] = yes ? [allow, refuse] : [refuse, allow];
    other.reset();
    // Unlike the callbacks of `mutate`, a promise also settles after the row is unmounted.
    void chosen
      .mutateAsync({ request: request.id })
      .then(
        () => onDone(yes ? `Allowed the request from ${who}` : `Denied the request from ${who}`),
        onFailed,
      );
  };
  return (
    <ActionRow
      error={(allow.error ?? refuse.error)?.message}
      lead={allow.error ? "Couldn't run the call." : "Couldn't deny the request."}
    >
      {ended ? (
        <Dismiss onDismiss={onDismiss} />
      ) : (
        <YesNoButtons
          yes="Allow"
          no="Deny"
          commits
          sending={isAllowed ? true : isRefused ? false : undefined}
          onAnswer={act}
        />
      )}
    </ActionRow>
  );
}

/**
 * Removes a request that is no longer open. Replaces the two buttons and takes over their focus.
 */
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
