import { useQueryClient } from "@tanstack/react-query";
import { Tabs } from "radix-ui";
import { lazy, type ReactElement, Suspense, useCallback, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { NodeId, PlanId, TerminalView, WorkPlace } from "@/api/bindings";
import { operationKey, useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { paths } from "@/shell/paths";
import { TerminalHeader } from "./TerminalHeader";
import { isSamePlace, leaveKeys, terminalEndText, terminalTitle } from "./terminalText";
import { useCloseTerminal } from "./useCloseTerminal";
import { useScreenReaderMode } from "./useScreenReaderMode";

// The terminal's code is large, and most people look at a blueprint without one.
const TerminalScreen = lazy(async () => ({
  default: (await import("./TerminalScreen")).TerminalScreen,
}));

/** Until the screen has measured itself. */
const firstSize = { columns: 80, rows: 24 };

export interface TerminalPanelProps {
  plan: PlanId;
  /** The place of the selected node, and its title; undefined if it can't have a terminal. */
  node: { place: WorkPlace; title: string } | undefined;
  titleOf: (node: NodeId) => string | undefined;
  /** The place to open a terminal for. */
  request: WorkPlace | undefined;
  /** Called when the request was taken. */
  onRequestTaken: () => void;
  /** Where the header is rendered: in the row of tabs. */
  headPlace: HTMLElement | null;
  /** Moves the focus out of the terminal. */
  onLeave: () => void;
}

/** The terminals of a blueprint: one for its directory, and one for each node. */
export function TerminalPanel(props: TerminalPanelProps): ReactElement {
  const list = useOperation("terminals_list", {}, { staleTime: 0 });
  if (list.isPending)
    return (
      <div role="status" aria-label="Loading terminals" className="p-4">
        <Skeleton width={240} />
      </div>
    );
  if (list.isError)
    return (
      <ErrorState
        title="Couldn't load the terminals"
        detail={list.error.code}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      >
        {list.error.message}
      </ErrorState>
    );
  if (list.data.access === "off_over_http")
    return (
      <EmptyState
        title="Terminals are turned off in the browser"
        actions={
          <ButtonLink to={paths.settingsSection("Terminal")}>Open terminal settings</ButtonLink>
        }
      >
        Whoever has access to this page could run commands as you. Turn on “Terminals over HTTP” in
        the settings, or use a terminal in Baton's window.
      </EmptyState>
    );
  const own = list.data.terminals.filter(({ plan }) => plan === props.plan);
  return <Terminals {...props} terminals={own} />;
}

function Terminals({
  plan,
  node,
  titleOf,
  request,
  onRequestTaken,
  headPlace,
  onLeave,
  terminals,
}: TerminalPanelProps & { terminals: readonly TerminalView[] }): ReactElement {
  const client = useQueryClient();
  const opening = useMutationOperation("terminal_open");
  const [chosen, choose] = useState<WorkPlace>();
  const [closing, setClosing] = useState<TerminalView>();
  const [screenReader] = useScreenReaderMode();
  const reload = useCallback(
    () => client.invalidateQueries({ queryKey: operationKey("terminals_list") }),
    [client],
  );
  const close = useCloseTerminal(reload, setClosing);
  const { mutate } = opening;

  const open = useCallback(
    (place: WorkPlace) => {
      choose(place);
      mutate({ place, ...firstSize }, { onSuccess: () => void reload() });
    },
    [mutate, reload],
  );
  useEffect(() => {
    if (!request) return;
    open(request);
    onRequestTaken();
  }, [request, open, onRequestTaken]);

  const ofChosen = chosen && terminals.find(({ place }) => isSamePlace(place, chosen));
  const shown = ofChosen ?? (opening.isPending || opening.isError ? undefined : terminals[0]);
  const name = ({ place }: TerminalView) => terminalTitle(place, titleOf);
  return (
    <Tabs.Root
      value={shown?.id ?? ""}
      onValueChange={(id) => choose(terminals.find((each) => each.id === id)?.place)}
      activationMode="manual"
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      {headPlace &&
        createPortal(
          <TerminalHeader
            {...{ plan, node, terminals, shown, name }}
            onOpen={open}
            onClose={(terminal) => void close.ask(terminal)}
          />,
          headPlace,
        )}
      {opening.isError && (
        <div role="alert" className="flex shrink-0 items-center gap-3 border-b px-4 py-1">
          <span className="min-w-0 flex-1 text-danger-fg">
            Couldn't open the terminal. {opening.error.message}
          </span>
          <Button size="small" onClick={() => opening.reset()}>
            Dismiss
          </Button>
        </div>
      )}
      {!shown && opening.isPending && (
        <p role="status" className="p-4 text-muted">
          Starting your shell…
        </p>
      )}
      {!shown && !opening.isPending && !opening.isError && (
        <NoTerminal plan={plan} node={node} onOpen={open} />
      )}
      {shown && (
        <Tabs.Content value={shown.id} tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
          <Suspense fallback={<p className="p-4 text-muted">Loading…</p>}>
            <TerminalScreen
              key={shown.id}
              terminal={shown}
              label={`Terminal of ${name(shown)}. ${leaveKeys} leaves it.`}
              screenReader={screenReader}
              takesFocus={ofChosen !== undefined}
              onLeave={onLeave}
              onGone={() => void reload()}
            />
          </Suspense>
          {shown.end && (
            <div role="status" className="flex shrink-0 items-center gap-3 border-t px-4 py-1">
              <span className="min-w-0 flex-1 text-muted">{terminalEndText(shown, shown.end)}</span>
              <Button size="small" onClick={() => open(shown.place)}>
                Start again
              </Button>
            </div>
          )}
        </Tabs.Content>
      )}
      {closing && (
        <ConfirmDialog
          open
          onOpenChange={(isOpen) => !isOpen && setClosing(undefined)}
          title={`Close the terminal of “${name(closing)}”?`}
          confirmLabel="Close terminal"
          onConfirm={() => {
            setClosing(undefined);
            void close.now(closing);
          }}
        >
          <code className="break-all">{closing.program}</code> is running and will be ended.
        </ConfirmDialog>
      )}
    </Tabs.Root>
  );
}

function NoTerminal({
  plan,
  node,
  onOpen,
}: Pick<TerminalPanelProps, "plan" | "node"> & {
  onOpen: (place: WorkPlace) => void;
}): ReactElement {
  return (
    <EmptyState
      title="No terminal"
      actions={
        <>
          <Button onClick={() => onOpen({ kind: "plan", plan })}>Open blueprint terminal</Button>
          {node && (
            <Button onClick={() => onOpen(node.place)}>
              <span className="max-w-64 truncate">Open terminal of {node.title}</span>
            </Button>
          )}
        </>
      }
    >
      A terminal starts your shell in the blueprint's directory, or where the selected node worked.
      It runs as you, outside of the sandbox, and ends with Baton.
    </EmptyState>
  );
}
