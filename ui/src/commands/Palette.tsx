import { Dialog } from "radix-ui";
import {
  type KeyboardEvent,
  type ReactElement,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from "react";
import { chordsOf } from "./chord";
import { keyBindings } from "./keyBindings";
import { PaletteField } from "./PaletteField";
import { PaletteFooter } from "./PaletteFooter";
import { PaletteList } from "./PaletteList";
import { type PaletteEntry, refreshEntry } from "./paletteEntries";
import { defaultSections, searchSections } from "./paletteSections";
import { takeTypedAhead, usePalette } from "./paletteState";
import { recordRecentEntry } from "./recentEntries";
import { useChoicePrompt } from "./useChoicePrompt";
import { usePaletteLists } from "./usePaletteLists";

const pageStep = 8;

/**
 * The command palette. Searches commands, pages and other items, and asks for the choices that a
 * command needs.
 */
export function Palette(): ReactElement {
  const lists = usePaletteLists();
  const { question, ask, back } = useChoicePrompt();
  const [typed, setTyped] = useState({ search: "", notice: "" });
  const [mark, setMark] = useState<string>();
  const search = useDeferredValue(typed.search).trim();
  const isBehind = search !== typed.search.trim();
  const entries = question ? (question.entries ?? none) : lists.entries;
  const shown = useMemo(() => {
    if (search !== "") return searchSections(entries, search);
    if (!question) return defaultSections(entries);
    return { sections: [{ heading: undefined, entries }], more: 0 };
  }, [entries, question, search]);
  const lines = shown.sections.flatMap((section) => section.entries);
  const at = Math.max(
    0,
    lines.findIndex(({ id }) => id === mark),
  );
  const before = useRef(document.activeElement);
  const next = useRef<() => unknown>(undefined);

  const close = () => usePalette.setState({ open: false, asking: undefined });
  function write(text: string) {
    setTyped({ search: text, notice: "" });
    setMark(undefined);
  }

  function choose(listed: PaletteEntry) {
    const entry = refreshEntry(listed);
    if (entry.refusal !== undefined) {
      const notice = `${entry.label}: ${entry.refusal}`;
      setTyped(({ search }) => ({ search, notice }));
      return;
    }
    if (!question) recordRecentEntry(entry.id);
    if ("choices" in entry) {
      ask({ title: entry.label, choices: entry.choices });
      write("");
      return;
    }
    next.current = entry.run;
    close();
  }

  function begin() {
    const { text, entered } = takeTypedAhead();
    if (text === "") return;
    write(text);
    const found = entered && firstOf(entries, text);
    if (found) choose(found);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    const moves: Record<string, number> = {
      ArrowDown: (at + 1) % lines.length,
      ArrowUp: (at - 1 + lines.length) % lines.length,
      PageDown: Math.min(lines.length - 1, at + pageStep),
      PageUp: Math.max(0, at - pageStep),
    };
    const target = moves[key];
    const line = lines[at];
    if (target !== undefined) setMark(lines[target]?.id);
    else if (key === "Enter") {
      // The deferred search may lag behind what was typed, so search again.
      const found = isBehind ? firstOf(entries, typed.search) : line;
      if (found) choose(found);
    }
    // The shortcut that opened the palette also closes it.
    else if (chordsOf(event).flatMap(keyBindings().commandsOf).includes("palette")) close();
    else if (question && (key === "Escape" || (key === "Backspace" && typed.search === ""))) {
      write("");
      back();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <Dialog.Root open onOpenChange={(open) => open || close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={begin}
          onEscapeKeyDown={(event) => question && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // This runs in a later task, and by then a key may have opened a field.
            const isFree = document.activeElement === document.body;
            // Restore the focus first: the command may move it.
            if (isFree && before.current instanceof HTMLElement)
              before.current.focus({ preventScroll: true });
            void next.current?.();
          }}
          className="fixed top-[12vh] left-1/2 z-40 flex max-h-[76vh] w-160 max-w-[calc(100vw-32px)] -translate-x-1/2 animate-rise flex-col overflow-hidden rounded-card bg-overlay shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">{question?.title ?? "Commands"}</Dialog.Title>
          <PaletteField
            question={question?.title}
            value={typed.search}
            active={lines[at]?.id}
            onChange={write}
            onKeyDown={onKeyDown}
          />
          <PaletteList
            sections={shown.sections}
            active={lines[at]?.id}
            searching={search !== ""}
            onPoint={setMark}
            onChoose={choose}
          />
          <PaletteFooter
            lists={lists}
            question={question}
            found={search === "" ? undefined : lines.length + shown.more}
            empty={lines.length === 0}
            more={shown.more}
            notice={typed.notice}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const none: readonly PaletteEntry[] = [];

function firstOf(entries: readonly PaletteEntry[], search: string): PaletteEntry | undefined {
  return searchSections(entries, search).sections[0]?.entries[0];
}
