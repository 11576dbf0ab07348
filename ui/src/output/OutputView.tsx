import { type ReactElement, useRef, useState } from "react";
import type { OutputStream, SessionId } from "@/api/bindings";
import type { OpenPath } from "@/attempt/outputRows/fileLinks";
import { ErrorState } from "@/components/ErrorState";
import { OutputBody } from "./OutputBody";
import type { OutputReader } from "./OutputReader";
import { OutputToolbar } from "./OutputToolbar";
import type { OutputKey } from "./outputKeys";
import { useOutputPreferences } from "./outputPreferences";
import { useCopyOutput } from "./useCopyOutput";
import { useErrorJump } from "./useErrorJump";
import { useLineCount } from "./useLineCount";
import { useLineSelection } from "./useLineSelection";
import { useOutputKeys } from "./useOutputKeys";
import { useOutputReader } from "./useOutputReader";
import { useOutputSearch } from "./useOutputSearch";

export interface OutputViewProps {
  session: SessionId;
  /** Start of the session in milliseconds since 1970; times are relative to it. */
  startedAt?: number | null | undefined;
  /** Opens at the end, and stays there while the output grows. */
  follow?: boolean;
  /** Ctrl+F searches this output from anywhere in the window, not only from within it. */
  ownsFind?: boolean;
  onDownload?: ((stream: OutputStream) => void) | undefined;
  onOpenFile?: (() => void) | undefined;
  /** Places in files are links if this is given. */
  onOpenPath?: OpenPath | undefined;
}

/**
 * The output of a session, of any size: only the visible rows are rendered, and only rows near them
 * are read.
 */
export function OutputView(props: OutputViewProps): ReactElement {
  const { session, startedAt, follow = false, ownsFind = false, onDownload } = props;
  const { reader, state } = useOutputReader(session, follow);
  const [preferences, setPreferences] = useOutputPreferences();
  const [current, setCurrent] = useState<number>();
  const [isGoingToLine, setGoingToLine] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const search = useOutputSearch(session, reader, state.size, setCurrent);
  const errorJump = useErrorJump(session, reader, current, setCurrent);
  const count = useLineCount(session, reader, state.size);
  const selecting = useLineSelection(reader);
  const copy = useCopyOutput(session, onDownload);
  const onKeyDown = useOutputKeys({ scroller, act, ownsFind });

  function act(key: OutputKey): boolean {
    if (key.act === "copy") return copySelectedLines();
    if (key.act === "escape") return clearSelection();
    if (key.act === "select_all") selecting.selectAll();
    else if (key.act === "match") search.go(key.step);
    else if (key.act === "error") errorJump.go(key.step);
    else if (key.act === "line") setGoingToLine(true);
    else if (key.act === "find") focusSearch();
    else scrollByKey(reader, key);
    return true;
  }

  function focusSearch() {
    field.current?.focus();
    field.current?.select();
  }

  /** Text that is selected with the mouse is copied by the browser. */
  function copySelectedLines(): boolean {
    const hasText = window.getSelection()?.isCollapsed === false;
    if (hasText || !selecting.selection) return false;
    copyPart("selection", false);
    return true;
  }

  function clearSelection(): boolean {
    selecting.clear();
    return selecting.selection !== undefined;
  }

  async function goToLine(line: number) {
    setGoingToLine(false);
    scroller.current?.focus();
    setCurrent(await reader.toLine(line));
  }

  function leaveSearch() {
    search.change({ text: "" });
    scroller.current?.focus();
  }

  function copyPart(part: "selection" | "everything", colors: boolean) {
    const everything = { from: 0, to: state.size };
    void copy(part === "everything" ? everything : (selecting.selection ?? everything), colors);
  }

  return (
    <section
      aria-label="Output"
      onKeyDown={onKeyDown}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <OutputToolbar
        {...{ reader, state, search, field, errorJump, count, preferences, isGoingToLine }}
        onLeave={leaveSearch}
        onGoingToLine={setGoingToLine}
        onLine={(line) => void goToLine(line)}
        onPreferences={setPreferences}
        hasSelection={selecting.selection !== undefined}
        onCopy={copyPart}
        onDownload={onDownload}
        onOpenFile={props.onOpenFile}
      />
      {state.phase === "failed" ? (
        <ErrorState
          title="Couldn't load the output"
          detail={state.error?.code}
          onRetry={() => reader.retry()}
        >
          {state.error?.message}
        </ErrorState>
      ) : (
        <OutputBody
          {...{ scroller, reader, state, preferences, search, selecting, current }}
          startedAt={startedAt ?? undefined}
          lines={count?.lines ?? undefined}
          errors={errorJump.rows}
          onOpenPath={props.onOpenPath}
        />
      )}
      {state.phase === "open" && state.error && (
        <p role="alert" className="border-t px-4 py-1 text-12 text-danger-fg">
          Couldn't load more of the output. {state.error.message}{" "}
          <button type="button" className="underline" onClick={() => reader.retry()}>
            Try again
          </button>
        </p>
      )}
    </section>
  );
}

type ScrollKey = Extract<OutputKey, { act: "rows" | "page" | "start" | "end" }>;

function scrollByKey(reader: OutputReader, key: ScrollKey): void {
  if (key.act === "rows") reader.scrollRows(key.count);
  else if (key.act === "page") reader.scrollPage(key.direction);
  else if (key.act === "start") reader.toStart();
  else reader.toEnd();
}
