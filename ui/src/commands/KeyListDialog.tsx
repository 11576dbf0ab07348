import { type ReactElement, useState } from "react";
import { Link } from "react-router";
import { Dialog } from "@/components/Dialog";
import { Kbd } from "@/components/Kbd";
import { TextField } from "@/components/TextField";
import { useBindings } from "./bindings";
import { type CommandId, commandIds, definitionOf } from "./catalogue";
import { groupOrder } from "./command";
import { useKeyList } from "./keyList";
import { matches } from "./matching";

const pointerWays = [
  ["Drag on the canvas", "Select by a box; Shift adds"],
  ["Alt and drag on the canvas", "Select by a lasso; Shift adds, Escape gives it up"],
  ["Scroll, or drag with Space or the middle button", "Move the view"],
  ["Ctrl and scroll", "Zoom"],
  ["Drag from the edge of a node", "Connect; on empty canvas, add and connect"],
  ["Alt and drag a node", "Leave it, and drag a copy"],
  ["Alt while dragging", "Leave the grid"],
  ["Ctrl while letting go", "Only move: into no edge and no group"],
] as const;

/** Every command that has a key, as it is bound now, and what the pointer does on the canvas. */
export function KeyListDialog({ keysPage }: { keysPage: string }): ReactElement {
  const { open } = useKeyList();
  const [search, setSearch] = useState("");
  const { keysOf } = useBindings();
  const close = () => useKeyList.setState({ open: false });
  const listed = commandIds.filter((id) => keysOf(id).length > 0 && fits(id, search, keysOf(id)));
  const ways = pointerWays.filter((way) => matches(search, way.join(" ")));

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Keys"
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
        label="Search keys"
        labelHidden
        value={search}
        onChange={setSearch}
        placeholder="Search by words or keys"
        autoFocus
        className="mb-3"
      />
      {listed.length === 0 && ways.length === 0 && (
        <p className="text-muted">No key is called so.</p>
      )}
      <div className="columns-[2_--spacing(72)] gap-8">
        {groupOrder.map((group) => (
          <Group
            key={group}
            title={group}
            ids={listed.filter((id) => definitionOf(id).group === group)}
          />
        ))}
      </div>
      {ways.length > 0 && <PointerWays ways={ways} />}
    </Dialog>
  );
}

function fits(id: CommandId, search: string, keys: readonly string[]): boolean {
  const { words, also, group } = definitionOf(id);
  return matches(search, [words, also, group, ...keys].join(" "));
}

function Group({ title, ids }: { title: string; ids: readonly CommandId[] }): ReactElement | null {
  const { keysOf } = useBindings();
  if (ids.length === 0) return null;
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1 text-11 text-faint">{title}</h3>
      <dl>
        {ids.map((id) => (
          <KeyLine key={id} words={definitionOf(id).words} keys={keysOf(id)} />
        ))}
      </dl>
    </section>
  );
}

function KeyLine({ words, keys }: { words: string; keys: readonly string[] }): ReactElement {
  return (
    <div className="flex items-center justify-between gap-4 py-0.5">
      <dt>{words}</dt>
      <dd className="flex shrink-0 gap-2">
        {keys.map((chord) => (
          <Kbd key={chord} keys={chord} />
        ))}
      </dd>
    </div>
  );
}

function PointerWays({ ways }: { ways: readonly (readonly [string, string])[] }): ReactElement {
  return (
    <section>
      <h3 className="mb-1 text-11 text-faint">Pointer</h3>
      <dl>
        {ways.map(([way, words]) => (
          <div key={way} className="flex justify-between gap-4 py-0.5">
            <dt>{words}</dt>
            <dd className="text-right text-muted">{way}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
