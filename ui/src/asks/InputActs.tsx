import type { ReactElement } from "react";
import type { NodeId, RunId } from "@/api/bindings";
import { RelativeTime } from "@/components/RelativeTime";
import { ActLine } from "./ActLine";
import type { InputAsk } from "./answer";
import { InputForm } from "./InputForm";
import { type OnDone, useAct } from "./useAct";

interface InputActsProps {
  target: { run: RunId; node: NodeId };
  title: string;
  ask: InputAsk;
  onDone: OnDone;
}

/** The form that answers a node, and until when it waits. */
export function InputActs({ target, title, ask, onDone }: InputActsProps): ReactElement {
  const give = useAct("node_input", onDone);
  return (
    <ActLine error={give.error}>
      <InputForm
        ask={ask}
        sending={give.isPending ? give.variables?.value : undefined}
        onSend={(value) => give.act({ ...target, value }, `${title} was answered and goes on`)}
      />
      {ask.due !== null && (
        <p className="w-full text-12 text-faint">
          Fails <RelativeTime at={ask.due} /> if nobody answers.
        </p>
      )}
    </ActLine>
  );
}
