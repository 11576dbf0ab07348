import { type ReactElement, useState } from "react";
import { Link } from "react-router";
import { Dialog } from "@/components/Dialog";
import { Kbd } from "@/components/Kbd";
import { TextField } from "@/components/TextField";
import { type CommandId, commandIds, definitionOf } from "./catalog";
import { groupOrder } from "./command";
import { useKeyBindings } from "./keyBindings";
import { matchesSearch } from "./matchesSearch";
import { useShortcutsDialog } from "./shortcutsDialogState";

const pointerGestures = [
  ["Drag on the canvas", "Select with a box; Shift adds to the selection"],
  [
    "Alt and drag on the canvas",
    "Select with a lasso; Shift adds to the selection, Escape cancels",
  ],
  ["Scroll, or drag with Space or the middle button", "Move the view"],
  ["Ctrl and scroll", "Zoom"],
  ["Drag from the edge of a node", "Connect; on empty canvas, add and connect"],
  ["Alt and drag a node", "Drag a copy"],
  ["Alt while dragging", "Ignore the grid"],
  ["Ctrl while releasing", "Move without joining an edge or group"],
] as const;

/** Lists every command with its current shortcuts, and the pointer gestures of the canvas. */
export function ShortcutsDialog({ keysPage }: { keysPage: string }): ReactElement {
  const { open } = useShortcutsDialog();
  const [search, setSearch] = useState("");
  const { keysOf } = useKeyBindings();
  const close = () => useShortcutsDialog.setState({ open: false });
  const listed = commandIds.filter(
    (id) => keysOf(id).length > 0 && matchesShortcut(id, search, keysOf(id)),
  );
  const ways = pointerGestures.filter((way) => matchesSearch(search, way.join(" ")));

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Keyboard shortcuts"
      description={
        <>
          Change them in{" "}
          <Link to={keysPage} onClick={close} className="text-accent-fg underline">
            Settings
          </Link>
          .
        </>
      }
      width={760}
    >
      <TextField
        label="Search shortcuts"
        labelHidden
        value={search}
        onChange={setSearch}
        placeholder="Search by name or keys"
        autoFocus
        className="mb-3"
      />
      {listed.length === 0 && ways.length === 0 && <p className="text-muted">No matches</p>}
      <div className="columns-[2_--spacing(72)] gap-8">
        {groupOrder.map((group) => (
          <Group
            key={group}
            title={group}
            ids={listed.filter((id) => definitionOf(id).group === group)}
          />
        ))}
      </div>
      {ways.length > 0 && <PointerGestures ways={ways} />}
    </Dialog>
  );
}

function matchesShortcut(id: CommandId, search: string, keys: readonly string[]): boolean {
  const { label, keywords, group } = definitionOf(id);
  return matchesSearch(search, [label, keywords, group, ...keys].join(" "));
}

function Group({ title, ids }: { title: string; ids: readonly CommandId[] }): ReactElement | null {
  const { keysOf } = useKeyBindings();
  if (ids.length === 0) return null;
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1 text-11 text-faint">{title}</h3>
      <dl>
        {ids.map((id) => (
          <ShortcutRow key={id} label={definitionOf(id).label} keys={keysOf(id)} />
        ))}
      </dl>
    </section>
  );
}

function ShortcutRow({ label, keys }: { label: string; keys: readonly string[] }): ReactElement {
  return (
    <div className="flex items-center justify-between gap-4 py-0.5">
      <dt>{label}</dt>
      <dd className="flex shrink-0 gap-2">
        {keys.map((chord) => (
          <Kbd key={chord} keys={chord} />
        ))}
      </dd>
    </div>
  );
}

function PointerGestures({ ways }: { ways: readonly (readonly [string, string])[] }): ReactElement {
  return (
    <section>
      <h3 className="mb-1 text-11 text-faint">Pointer</h3>
      <dl>
        {ways.map(([way, label]) => (
          <div key={way} className="flex justify-between gap-4 py-0.5">
            <dt>{label}</dt>
            <dd className="text-right text-muted">{way}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
