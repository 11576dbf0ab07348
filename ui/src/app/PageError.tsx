import { type ReactElement, useState } from "react";
import { useRouteError } from "react-router";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { PageHeader } from "@/shell/PageHeader";
import { PageLoadError } from "./lazyPage";

/**
 * Shown when a page throws while rendering or its code can't be loaded. Runs continue outside the
 * window, so reloading it is safe.
 */
export function PageError(): ReactElement {
  const cause = useRouteError();
  return cause instanceof PageLoadError ? <LoadFailed /> : <RenderFailed cause={cause} />;
}

function RenderFailed({ cause }: { cause: unknown }): ReactElement {
  return (
    <>
      <PageHeader title="This page couldn't be displayed" />
      <ErrorState
        title="This page couldn't be displayed"
        detail={cause instanceof Error ? cause.message : String(cause)}
        actions={<Button onClick={() => location.reload()}>Reload window</Button>}
      >
        An error occurred in Baton's interface. Runs aren't affected. Reload the window. If it
        happens again, report the message below.
      </ErrorState>
    </>
  );
}

function LoadFailed(): ReactElement {
  const [asking, setAsking] = useState(false);

  // Reloading while the server is down would replace this page with the browser's error page.
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
      <PageHeader title="Couldn't load this page" />
      <ErrorState title="Couldn't load this page" onRetry={() => void retry()} retrying={asking}>
        Baton isn't responding at this address. Check that `baton serve` is still running, then try
        again.
      </ErrorState>
    </>
  );
}
