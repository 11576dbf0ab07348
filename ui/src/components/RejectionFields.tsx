import type { ReactElement } from "react";
import type { RejectionReason } from "@/api/bindings";
import { rejectionReasonLabels } from "./rejectionReasons";
import { Select } from "./Select";
import { TextArea } from "./TextArea";

const options = Object.entries(rejectionReasonLabels).map(([id, label]) => ({
  id: id as RejectionReason,
  label,
}));

/** The fields of a rejection: a reason from the list, and words. */
export function RejectionFields({
  reason,
  onReason,
  words,
  onWords,
}: {
  reason: RejectionReason | undefined;
  onReason: (reason: RejectionReason) => void;
  words: string;
  onWords: (words: string) => void;
}): ReactElement {
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Reason"
        options={options}
        value={reason}
        onChange={onReason}
        placeholder="Choose a reason"
      />
      <TextArea label="What's wrong with it?" autoFocus value={words} onChange={onWords} />
    </div>
  );
}
