import { type ReactElement, useState } from "react";
import { useRouteError } from "react-router";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { PageHeader } from "@/shell/PageHeader";
import { PageLoadError } from "./lazyPage";

/** A page broke while drawing, or could not be had. Runs go on outside the window; drawing the window again is safe. */
export function PageError(): ReactElement {
  const cause = useRouteError();
  return cause instanceof PageLoadError ? <LoadFailed /> : <RenderFailed cause={cause} />;
}

function RenderFailed({ cause }: { cause: unknown }): ReactElement {
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

function LoadFailed(): ReactElement {
  const [asking, setAsking] = useState(false);

  // To reload while nobody answers would leave the browser's own page in place of this one.
  async function retry() {
    setAsking(true);
    const answers = await fetch(location.href, { cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) location.reload();
    else setAsking(false);
  }

  return (
    <>
      <PageHeader title="This page could not be loaded" />
      <ErrorState
        title="This page could not be loaded"
        onRetry={() => void retry()}
        retrying={asking}
      >
        Baton does not answer at this address. Check that `baton serve` is still running, then try
        again.
      </ErrorState>
    </>
  );
}
