import { Download } from "lucide-react";
import { lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import type { AvailableUpdate } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import {
  checkForUpdate,
  checksAutomatically,
  installUpdate,
  useDismissedUpdate,
  useUpdateState,
} from "@/shell/updates";
import { useUpdateSource } from "@/shell/useUpdateSource";

/** Loaded when it is needed: few starts show release notes, and its parser is large. */
const Markdown = lazy(async () => ({
  default: (await import("@/components/Markdown")).Markdown,
}));

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Offers an available update above every page. Shows nothing where a package manager updates Baton.
 */
export function UpdateBanner(): ReactElement | null {
  const { updates } = useBackend();
  const source = useUpdateSource();
  const state = useUpdateState();
  const [dismissed, dismiss] = useDismissedUpdate();

  useEffect(() => {
    if (!updates || source !== "releases") return;
    const check = () => {
      if (checksAutomatically()) void checkForUpdate(updates);
    };
    check();
    const timer = setInterval(check, dayMs);
    return () => clearInterval(timer);
  }, [updates, source]);

  if (!updates || !("update" in state) || !state.update) return null;
  const { update } = state;
  switch (state.step) {
    case "available":
      if (dismissed === update.version) return null;
      return (
        <Banner
          tone="calm"
          icon={<Download />}
          actions={
            <>
              <ReleaseNotes update={update} />
              <Button size="small" onClick={() => dismiss(update.version)}>
                Skip this version
              </Button>
              <Button
                size="small"
                kind="primary"
                onClick={() => void installUpdate(updates, update)}
              >
                Install
              </Button>
            </>
          }
        >
          {`Baton ${update.version} is available. You have ${update.currentVersion}.`}
        </Banner>
      );
    case "installing":
      return (
        <Banner tone="calm" icon={<Download />}>
          {`Installing Baton ${update.version}…`}
        </Banner>
      );
    case "installed":
      return (
        <Banner
          tone="calm"
          icon={<Download />}
          actions={
            <Button size="small" kind="primary" onClick={() => void updates.restart()}>
              Restart Baton
            </Button>
          }
        >
          {`Baton ${update.version} is installed. Restart to use it. Running sessions continue.`}
        </Banner>
      );
    case "failed":
      return (
        <Banner
          tone="warning"
          icon={<Download />}
          actions={
            <Button size="small" onClick={() => void installUpdate(updates, update)}>
              Try again
            </Button>
          }
        >
          {state.error.message}
        </Banner>
      );
  }
}

function ReleaseNotes({ update }: { update: AvailableUpdate }): ReactElement | null {
  const [open, setOpen] = useState(false);
  if (!update.notes) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        What's new
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={`Baton ${update.version}`} width={600}>
        <Suspense fallback={null}>
          <Markdown text={update.notes} />
        </Suspense>
      </Dialog>
    </>
  );
}
