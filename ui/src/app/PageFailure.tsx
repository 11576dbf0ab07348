import type { ReactElement } from "react";
import { useRouteError } from "react-router";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { PageHeader } from "./PageHeader";

/** A page broke while drawing. Runs go on outside the window; drawing the window again is safe. */
export function PageFailure(): ReactElement {
  const cause = useRouteError();
  return (
    <>
      <PageHeader title="This page could not be drawn" />
      <ErrorState
        title="This page could not be drawn"
        detail={cause instanceof Error ? cause.message : String(cause)}
        actions={<Button onClick={() => location.reload()}>Reload window</Button>}
      >
        A fault in Baton's interface stopped it. Runs are not affected. Reload the window; if it
        happens again, report the line below.
      </ErrorState>
    </>
  );
}
