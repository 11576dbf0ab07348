import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { bytesOfBinary } from "./bytes";
import { minimumContrast, onAppearanceChange, readTerminalColors } from "./terminalColors";
import type { TerminalDisplay } from "./terminalLink";

export interface XtermOptions {
  label: string;
  screenReader: boolean;
  onInput: (bytes: Uint8Array) => void;
  onResize: (columns: number, rows: number) => void;
  /** The key that leaves the terminal was pressed. */
  onLeave: () => void;
}

export interface Xterm extends TerminalDisplay {
  focus: () => void;
  setScreenReader: (on: boolean) => void;
  dispose: () => void;
}

/** How many lines can be scrolled back. The backend keeps 1 MiB. */
const scrollback = 10_000;

/** Shows a terminal in `host`. */
export function openXterm(host: HTMLElement, options: XtermOptions): Xterm {
  const terminal = new Terminal({
    ...readAppearance(host),
    scrollback,
    cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    screenReaderMode: options.screenReader,
    // Links in output are untrusted, and are shown as text only.
    linkHandler: { activate: () => undefined },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(host);
  terminal.textarea?.setAttribute("aria-label", options.label);

  // A terminal answers queries in its output as if somebody typed the answer.
  let isReplaying = false;
  terminal.onData((text) => isReplaying || options.onInput(new TextEncoder().encode(text)));
  terminal.onBinary((text) => isReplaying || options.onInput(bytesOfBinary(text)));
  terminal.onResize(({ cols, rows }) => options.onResize(cols, rows));
  terminal.attachCustomKeyEventHandler((event) => handleKey(event, terminal, options.onLeave));
  // All other keys belong to the program in the terminal, not to Baton's shortcuts.
  const keepKey = (event: KeyboardEvent) => event.stopPropagation();
  host.addEventListener("keydown", keepKey);

  const measure = () => {
    // A hidden panel has no size to fit.
    if (host.clientWidth > 0 && host.clientHeight > 0) fit.fit();
  };
  const resizes = new ResizeObserver(measure);
  resizes.observe(host);
  measure();
  options.onResize(terminal.cols, terminal.rows);
  const stopAppearance = onAppearanceChange(() => {
    Object.assign(terminal.options, readAppearance(host));
    measure();
  });
  void document.fonts?.load(`${terminal.options.fontSize}px ${terminal.options.fontFamily}`).then(
    // The font may have been measured before it was loaded.
    () => {
      const { fontFamily } = terminal.options;
      terminal.options.fontFamily = "monospace";
      if (fontFamily) terminal.options.fontFamily = fontFamily;
      measure();
    },
    () => undefined,
  );

  return {
    write: (bytes, replayed) =>
      new Promise((resolve) => {
        terminal.write("", () => {
          isReplaying = replayed;
        });
        terminal.write(bytes, () => {
          isReplaying = false;
          resolve();
        });
      }),
    reset: () => terminal.reset(),
    focus: () => terminal.focus(),
    setScreenReader: (on) => {
      terminal.options.screenReaderMode = on;
    },
    dispose: () => {
      resizes.disconnect();
      stopAppearance();
      host.removeEventListener("keydown", keepKey);
      terminal.dispose();
    },
  };
}

/** Returns whether the terminal handles the key. */
function handleKey(event: KeyboardEvent, terminal: Terminal, onLeave: () => void): boolean {
  const { type, key, shiftKey, ctrlKey, metaKey } = event;
  if (key === "F6" && shiftKey) {
    event.preventDefault();
    if (type === "keydown") onLeave();
    return false;
  }
  if (!ctrlKey || !shiftKey || metaKey) return true;
  if (key.toLowerCase() === "c") {
    event.preventDefault();
    // The terminal handles the event that this causes, which needs no permission.
    if (type === "keydown" && terminal.hasSelection()) document.execCommand("copy");
    return false;
  }
  // The browser pastes, and the terminal handles the event.
  return key.toLowerCase() !== "v";
}

function readAppearance(host: HTMLElement) {
  const { fontFamily, fontSize } = getComputedStyle(host);
  return {
    fontFamily,
    fontSize: Number.parseFloat(fontSize) || 12,
    theme: readTerminalColors(host),
    minimumContrastRatio: minimumContrast(),
  };
}
