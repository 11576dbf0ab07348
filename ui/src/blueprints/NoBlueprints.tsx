import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { paths } from "@/shell/paths";

/** There is not one blueprint on this machine. */
export function NoBlueprints({ onImport }: { onImport: () => void }): ReactElement {
  return (
    <EmptyState
      title="No blueprints"
      actions={
        <>
          <ButtonLink kind="primary" to={paths.newBlueprint}>
            New blueprint
          </ButtonLink>
          <ButtonLink to={paths.newBlueprintFrom("template")}>Start from a template</ButtonLink>
          <Button onClick={onImport}>Import a file</Button>
        </>
      }
    >
      A blueprint is a goal cut into nodes that agents and commands work off, each handing its
      result to the next. Plan files can also be dropped anywhere on this page.
    </EmptyState>
  );
}
