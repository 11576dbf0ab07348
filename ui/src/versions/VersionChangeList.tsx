import { ChevronDown, ChevronUp, Minus, PencilLine, Plus } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { ToolButton } from "@/commands/ToolButton";
import { classes } from "@/components/classes";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { type Change, type FieldChange, titleOf } from "./planChanges";

interface VersionChangeListProps {
  changes: readonly Change[];
  /** The index of the current change. */
  at: number | undefined;
  onGo: (at: number) => void;
  onStep: (step: 1 | -1) => void;
}

/** All changes. The current one shows its fields before and after. */
export function VersionChangeList({
  changes,
  at,
  onGo,
  onStep,
}: VersionChangeListProps): ReactElement {
  const count = changes.length;
  return (
    <section aria-label="Changes" className="flex h-full flex-col bg-surface">
      <header className="flex h-9 shrink-0 items-center gap-1 border-b px-3">
        <h2 className="font-medium">Changes</h2>
        <span role="status" className="ml-1 text-12 text-faint tabular-nums">
          {at === undefined ? count : `${at + 1} of ${count}`}
        </span>
        <div className="ml-auto flex">
          <ToolButton
            command="versions_previous"
            label="Previous change"
            icon={<ChevronUp />}
            disabled={count === 0}
            onClick={() => onStep(-1)}
          />
          <ToolButton
            command="versions_next"
            label="Next change"
            icon={<ChevronDown />}
            disabled={count === 0}
            onClick={() => onStep(1)}
          />
        </div>
      </header>
      {count === 0 ? (
        <p className="p-4 text-muted">
          The versions are identical. Node positions aren't compared.
        </p>
      ) : (
        <ul {...keyboardScrollable} className="min-h-0 flex-1 overflow-auto p-1.5">
          {changes.map((change, index) => (
            <ChangeRow
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is shown
              key={index}
              change={change}
              current={index === at}
              onGo={() => onGo(index)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function ChangeRow({
  change,
  current,
  onGo,
}: {
  change: Change;
  current: boolean;
  onGo: () => void;
}): ReactElement {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) line.current?.scrollIntoView?.({ block: "nearest" });
  }, [current]);
  const { verb, what } = describeChange(change);
  return (
    <li ref={line}>
      <button
        type="button"
        aria-current={current || undefined}
        onClick={onGo}
        className={classes(
          "flex w-full items-start gap-2 rounded-control px-2 py-1 text-left hover:bg-hover",
          current && "bg-active",
        )}
      >
        <ChangeIcon verb={verb} />
        <span dir="auto" className="min-w-0 flex-1 break-words">
          <span className="text-muted">{verbLabels[verb]}</span> {what}
        </span>
      </button>
      {current && (change.kind === "changed" || change.kind === "plan") && (
        <Fields fields={change.fields} />
      )}
    </li>
  );
}

function Fields({ fields }: { fields: readonly FieldChange[] }): ReactElement {
  return (
    <dl className="mb-2 ml-7 flex flex-col gap-2 border-l pl-3 text-12">
      {fields.map(({ field, before, after }) => (
        <div key={field}>
          <dt className="text-muted first-letter:uppercase">{field}</dt>
          {before !== after && (
            <dd className="mt-0.5 grid gap-0.5">
              <del dir="auto" className="whitespace-pre-wrap break-words text-danger-fg">
                {before}
              </del>
              <ins
                dir="auto"
                className="whitespace-pre-wrap break-words text-state-done no-underline"
              >
                {after}
              </ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

type Verb = "added" | "removed" | "changed";

const verbLabels: Record<Verb, string> = { added: "Added", removed: "Removed", changed: "Changed" };

function describeChange(change: Change): { verb: Verb; what: string } {
  switch (change.kind) {
    case "plan":
      return { verb: "changed", what: "blueprint settings" };
    case "edge":
      return { verb: change.verb, what: `edge ${change.words}` };
    default:
      return { verb: change.kind, what: titleOf(change.node) };
  }
}

const changeIcons: Record<Verb, { icon: ReactElement; look: string }> = {
  added: { icon: <Plus />, look: "text-state-done" },
  removed: { icon: <Minus />, look: "text-state-failed" },
  changed: { icon: <PencilLine />, look: "text-state-waiting" },
};

/** Decorative: the label next to it says the same. */
function ChangeIcon({ verb }: { verb: Verb }): ReactElement {
  const { icon, look } = changeIcons[verb];
  return (
    <span aria-hidden="true" className={classes("mt-0.5 [&>svg]:size-3.5", look)}>
      {icon}
    </span>
  );
}
