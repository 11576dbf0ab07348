import { Check, ChevronRight } from "lucide-react";
import { ContextMenu, DropdownMenu } from "radix-ui";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { classes } from "./classes";
import { Kbd } from "./Kbd";

/** An item of a menu. A `choice` is one of several options; the current one has a check mark. */
export type MenuEntry =
  | {
      kind: "act";
      label: string;
      icon?: ReactNode;
      keys?: string;
      danger?: boolean;
      disabled?: boolean;
      /** Why the action is unavailable; disables it and is shown next to it. */
      reason?: string | undefined;
      /** An explanation, shown in a fainter color. */
      detail?: string;
      onSelect: () => void;
    }
  | { kind: "choice"; label: string; icon?: ReactNode; chosen: boolean; onSelect: () => void }
  | { kind: "more"; label: string; entries: MenuEntry[] }
  | { kind: "heading"; label: string }
  | { kind: "line" };

// With large text in a small window, lines wrap rather than leave the window.
const surface =
  "z-50 max-h-(--radix-popper-available-height) min-w-[min(calc(var(--spacing)*44),var(--radix-popper-available-width))] max-w-(--radix-popper-available-width) animate-appear overflow-y-auto rounded-card bg-overlay p-1 text-fg shadow-float outline-none";
const row =
  "flex min-h-7 cursor-default items-center gap-2 rounded-control px-2 text-13 outline-none data-[highlighted]:bg-hover data-[highlighted]:active:bg-active data-[disabled]:opacity-50 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted";

type Parts = Pick<
  typeof DropdownMenu,
  "Item" | "CheckboxItem" | "Label" | "Separator" | "Sub" | "SubTrigger" | "SubContent" | "Portal"
>;

function Entry({ entry, parts }: { entry: MenuEntry; parts: Parts }): ReactElement {
  switch (entry.kind) {
    case "line":
      return <parts.Separator className="my-1 h-px bg-line" />;
    case "heading":
      return (
        <parts.Label className="px-2 pt-1.5 pb-0.5 text-11 text-faint">{entry.label}</parts.Label>
      );
    case "more":
      return (
        <parts.Sub>
          <parts.SubTrigger className={classes(row, "data-[state=open]:bg-hover")}>
            <span className="min-w-0 flex-1">{entry.label}</span>
            <ChevronRight aria-hidden="true" />
          </parts.SubTrigger>
          <parts.Portal>
            <parts.SubContent collisionPadding={8} className={surface}>
              <Entries entries={entry.entries} parts={parts} />
            </parts.SubContent>
          </parts.Portal>
        </parts.Sub>
      );
    case "choice":
      return (
        <parts.CheckboxItem checked={entry.chosen} onSelect={entry.onSelect} className={row}>
          {entry.icon}
          <span className="min-w-0 flex-1">{entry.label}</span>
          {entry.chosen && <Check aria-hidden="true" />}
        </parts.CheckboxItem>
      );
    case "act":
      return (
        <parts.Item
          disabled={entry.disabled ?? entry.reason !== undefined}
          onSelect={entry.onSelect}
          className={classes(row, entry.danger && "text-danger-fg [&>svg]:text-danger-fg")}
        >
          {entry.icon}
          <span className="min-w-0 flex-1">{entry.label}</span>
          {entry.detail !== undefined && (
            <span className="max-w-56 break-words pl-4 text-12 text-faint">{entry.detail}</span>
          )}
          {entry.reason !== undefined && (
            <span className="max-w-56 break-words pl-4 text-11">{entry.reason}</span>
          )}
          {entry.keys && entry.reason === undefined && <Kbd keys={entry.keys} />}
        </parts.Item>
      );
  }
}

function Entries({ entries, parts }: { entries: MenuEntry[]; parts: Parts }): ReactElement {
  return (
    <>
      {entries.map((entry, at) => (
        <Fragment key={entry.kind === "line" ? `line ${at}` : `${entry.kind} ${entry.label}`}>
          <Entry entry={entry} parts={parts} />
        </Fragment>
      ))}
    </>
  );
}

export interface MenuProps {
  entries: MenuEntry[];
  /** The button that opens the menu, or the area of a context menu. */
  children: ReactElement;
}

/** A menu that opens from a button. */
export function Menu({
  entries,
  children,
  side = "bottom",
  align = "start",
}: MenuProps & {
  side?: "top" | "right" | "bottom" | "left";
  align?: "start" | "center" | "end";
}): ReactElement {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={surface}
        >
          <Entries entries={entries} parts={DropdownMenu} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** A context menu: opens at the pointer on a right click, and at the element on the menu key. */
export function ContextualMenu({ entries, children }: MenuProps): ReactElement {
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>{children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content collisionPadding={8} className={surface}>
          <Entries entries={entries} parts={ContextMenu} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
