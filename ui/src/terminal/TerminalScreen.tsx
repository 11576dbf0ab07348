import { type ReactElement, useEffect, useRef, useState } from "react";
import { useBackend } from "@/api/backendContext";
import type { TerminalView } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { openXterm, type Xterm } from "./openXterm";
import { type LinkState, TerminalLink } from "./terminalLink";

export interface TerminalScreenProps {
  terminal: TerminalView;
  /** The accessible name. */
  label: string;
  screenReader: boolean;
  /** Whether it takes the focus when it appears. */
  takesFocus: boolean;
  onLeave: () => void;
  /** The backend doesn't know the terminal any more. */
  onGone: () => void;
}

/** The screen of one terminal. */
export function TerminalScreen({
  terminal: { id },
  label,
  screenReader,
  takesFocus,
  onLeave,
  onGone,
}: TerminalScreenProps): ReactElement {
  const backend = useBackend();
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<Xterm>(undefined);
  const [state, setState] = useState<LinkState>("opening");
  // The terminal is opened once, and calls what is current.
  const current = useRef({ label, screenReader, takesFocus, onLeave, onGone });
  current.current = { label, screenReader, takesFocus, onLeave, onGone };

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let link: TerminalLink | undefined;
    const xterm = openXterm(element, {
      label: current.current.label,
      screenReader: current.current.screenReader,
      onInput: (bytes) => link?.type(bytes),
      onResize: (columns, rows) =>
        void backend
          .call("terminal_resize", { terminal: id, columns, rows })
          // The next size is sent again, and the state shows whether the backend answers.
          .catch(() => undefined),
      onLeave: () => current.current.onLeave(),
    });
    shown.current = xterm;
    link = new TerminalLink({
      backend,
      terminal: id,
      display: xterm,
      onState: (next) => {
        setState(next);
        if (next === "gone") current.current.onGone();
      },
      onInputLost: (detail) =>
        showToast({ kind: "error", title: "Couldn't send what you typed", detail }),
    });
    if (current.current.takesFocus) xterm.focus();
    return () => {
      link?.close();
      xterm.dispose();
      shown.current = undefined;
    };
  }, [backend, id]);

  useEffect(() => shown.current?.setScreenReader(screenReader), [screenReader]);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {state === "waiting" && (
        <p role="status" className="shrink-0 border-b px-4 py-1 text-12 text-muted">
          Waiting for Baton. What you type now is dropped.
        </p>
      )}
      <div
        ref={host}
        className="min-h-0 flex-1 overflow-hidden bg-canvas py-1 pl-3 font-mono text-12"
      />
    </div>
  );
}
