import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { paths } from "@/shell/paths";

/** The empty state of a machine without blueprints. */
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
          <Button onClick={onImport}>Import plan file</Button>
        </>
      }
    >
      A blueprint splits a goal into nodes that agents and commands work on, each passing its result
      to the next. You can also drop a plan file anywhere on this page.
    </EmptyState>
  );
}
