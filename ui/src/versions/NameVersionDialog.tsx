import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { PlanId, PlanVersionRow } from "@/api/bindings";
import { operationKey, useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { TextField } from "@/components/TextField";
import { DraftHint } from "@/shell/DraftHint";
import { useTextDraft } from "@/shell/useTextDraft";

/** The backend's limit, in characters. */
const maxNameLength = 80;

/** Names a version, to find it again. An empty name removes it. */
export function NameVersionDialog({
  plan,
  row: { version, name },
  onClose,
}: {
  plan: PlanId;
  row: PlanVersionRow;
  onClose: () => void;
}): ReactElement {
  const client = useQueryClient();
  const [text, setText, discard, isOverOther] = useTextDraft(
    `version/${plan}/${version}`,
    name ?? "",
  );
  const save = useMutationOperation("plan_version_name");
  const wanted = text.trim();

  function submit() {
    const input = { plan, version, name: wanted || null };
    save.mutate(input, {
      onSuccess: (rows) => {
        client.setQueryData(operationKey("plan_versions", { plan }), rows);
        leave();
      },
    });
  }

  function leave() {
    discard();
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={name === null ? `Name version ${version}` : `Rename version ${version}`}
      width={400}
      focusFirst={() => document.getElementById(formId)?.querySelector("input")}
      actions={
        <>
          <Button onClick={leave}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} busy={save.isPending}>
            {wanted === "" && name !== null ? "Remove name" : "Save name"}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) submit();
        }}
      >
        <TextField
          label="Name"
          hint="Leave it empty for no name."
          error={save.error?.message}
          maxLength={maxNameLength}
          dir="auto"
          value={text}
          onChange={setText}
        />
        {isOverOther && <DraftHint back="Use the saved name" onBack={discard} />}
      </form>
    </Dialog>
  );
}

const formId = "name-version";
