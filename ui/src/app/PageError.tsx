import { type ReactElement, useEffect, useRef, useState } from "react";
import { useRouteError } from "react-router";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { PageHeader } from "@/shell/PageHeader";
import { PageLoadError } from "./lazyPage";
import { reloadWindow } from "./reloadWindow";

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
        actions={<Button onClick={reloadWindow}>Reload window</Button>}
      >
        An error occurred in Baton's interface. Runs aren't affected. Reload the window. If it
        happens again, report the message below.
      </ErrorState>
    </>
  );
}

/** In milliseconds, between two questions whether the server is back. */
const askIntervalMs = 2_000;

/**
 * Reloads the window when the server is back: a browser may not load the same code again before
 * that. Edits are sent when the window is unloaded.
 */
function LoadFailed(): ReactElement {
  const [asking, setAsking] = useState(false);
  const isAsking = useRef(false);

  useEffect(() => {
    const timer = setInterval(() => void reloadIfBack(isAsking), askIntervalMs);
    return () => clearInterval(timer);
  }, []);

  async function retry() {
    setAsking(true);
    await reloadIfBack(isAsking);
    setAsking(false);
  }

  return (
    <>
      <PageHeader title="Couldn't load this page" />
      <ErrorState title="Couldn't load this page" onRetry={() => void retry()} retrying={asking}>
        Baton isn't responding at this address. Check that `baton serve` is still running. The page
        loads when Baton is back.
      </ErrorState>
    </>
  );
}

/** Reloading while the server is down would replace this page with the browser's error page. */
async function reloadIfBack(isAsking: { current: boolean }): Promise<void> {
  if (isAsking.current) return;
  isAsking.current = true;
  const answers = await fetch(location.href, { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  isAsking.current = false;
  if (answers) reloadWindow();
}
