import { type ReactElement, useEffect, useRef } from "react";
import type { RequestView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { ActLine } from "@/asks/ActLine";
import { requesterName } from "@/asks/request";
import { YesNo } from "@/asks/YesNo";
import { useKeysFor } from "@/commands/bindings";
import { Button } from "@/components/Button";
import { isOnNothing } from "@/components/onNothing";

export interface RequestActsProps {
  request: RequestView;
  /** It waits no more; what is left is to read why. */
  ended: boolean;
  onDone: (words: string) => void;
  onFailed: () => void;
  onDismiss: () => void;
}

/** Carries a request out in the person's name, or refuses it. */
export function RequestActs(props: RequestActsProps): ReactElement {
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
    <ActLine
      error={(allow.error ?? refuse.error)?.message}
      lead={allow.error ? "Not carried out." : "Not refused."}
    >
      {ended ? (
        <Dismiss onDismiss={onDismiss} />
      ) : (
        <YesNo
          yes="Allow"
          no="Refuse"
          saying={isAllowed ? true : isRefused ? false : undefined}
          onSay={act}
        />
      )}
    </ActLine>
  );
}

/** Puts away a request that has ended. It stands where the two acts were, and takes the focus that one of them had. */
function Dismiss({ onDismiss }: { onDismiss: () => void }): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const keys = useKeysFor("inbox_no");
  useEffect(() => {
    if (isOnNothing(document.activeElement)) button.current?.focus();
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
