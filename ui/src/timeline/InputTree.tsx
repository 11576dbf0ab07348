import { ChevronRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import { formatBytes } from "@/components/formatBytes";
import { formatNumber } from "@/components/formatCount";
import { truncateText } from "./truncateText";

/** Objects and lists deeper than this are closed at first. */
const openDepth = 2;
/** More items than this are shown on request. */
const maxItems = 100;
const stringLines = 6;

/** The input of a tool as a tree: objects and lists can be closed, long strings are cut. */
export function InputTree({ value }: { value: unknown }): ReactElement {
  return (
    <div className="min-w-0 rounded-control border bg-canvas px-2.5 py-1.5 font-mono text-12 leading-4.5">
      <TreeValue value={value} depth={0} />
    </div>
  );
}

function TreeValue({ value, depth }: { value: unknown; depth: number }): ReactElement {
  if (typeof value === "string") return <TreeString text={value} />;
  if (typeof value !== "object" || value === null) {
    return <span className="code-number">{String(value)}</span>;
  }
  return <Branch value={value} depth={depth} />;
}

function Branch({ value, depth }: { value: object; depth: number }): ReactElement {
  const isList = Array.isArray(value);
  const items = Object.entries(value);
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, maxItems);
  if (items.length === 0) return <span className="text-faint">{isList ? "[]" : "{}"}</span>;
  return (
    <ul className="flex min-w-0 flex-col">
      {shown.map(([name, item]) => (
        <li key={name} className="min-w-0">
          <Item name={name} value={item} depth={depth} isListItem={isList} />
        </li>
      ))}
      {items.length > shown.length && (
        <li>
          <ShowAll label={`Show all ${formatNumber(items.length)} items`} onClick={setAll} />
        </li>
      )}
    </ul>
  );
}

interface ItemProps {
  name: string;
  value: unknown;
  depth: number;
  isListItem: boolean;
}

function Item({ name, value, depth, isListItem }: ItemProps): ReactElement {
  const [open, setOpen] = useState(depth < openDepth);
  const label = <span className={isListItem ? "text-faint" : "code-property"}>{name}</span>;
  if (!isBranch(value)) {
    return (
      <div className="flex min-w-0 gap-2 pl-4">
        <span className="shrink-0">{label}</span>
        <TreeValue value={value} depth={depth + 1} />
      </div>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1"
      >
        <ChevronRight
          aria-hidden="true"
          className={`size-3 shrink-0 text-faint transition-transform ${open ? "rotate-90" : ""}`}
        />
        {label} <span className="text-faint">{describeBranch(value)}</span>
      </button>
      {open && (
        <div className="ml-1.5 border-l pl-1.5">
          <TreeValue value={value} depth={depth + 1} />
        </div>
      )}
    </>
  );
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function describeBranch(value: object): string {
  const count = Object.keys(value).length;
  const noun = Array.isArray(value) ? "item" : "field";
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function TreeString({ text }: { text: string }): ReactElement {
  const [all, setAll] = useState(false);
  const folded = truncateText(text, stringLines);
  const hasMore = folded.hiddenCharacters > 0;
  return (
    <span className="min-w-0">
      <span dir="auto" className="select-text whitespace-pre-wrap break-words">
        {text === "" ? <span className="text-faint">empty</span> : all ? text : folded.shown}
      </span>
      {hasMore && !all && (
        <ShowAll label={`Show all ${formatBytes(text.length)}`} onClick={setAll} />
      )}
    </span>
  );
}

function ShowAll(props: { label: string; onClick: (all: true) => void }): ReactElement {
  return (
    <button
      type="button"
      onClick={() => props.onClick(true)}
      className="block font-medium text-accent-fg hover:underline"
    >
      {props.label}
    </button>
  );
}
