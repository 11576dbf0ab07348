import type { ReactElement } from "react";
import { Dialog } from "@/components/Dialog";
import { Kbd } from "@/components/Kbd";
import { useBlueprint, usePage } from "./blueprintContext";
import { bindings } from "./keymap";

const clipboardKeys = [
  { keys: "Mod+C", words: "Copy nodes as text" },
  { keys: "Mod+X", words: "Cut" },
  { keys: "Mod+V", words: "Paste" },
];

const pointerWays = [
  ["Drag on the canvas", "Select by a box; Shift adds"],
  ["Scroll, or drag with Space or the middle button", "Move the view"],
  ["Ctrl and scroll", "Zoom"],
  ["Drag from the edge of a node", "Connect; on empty canvas, add and connect"],
  ["Alt while dragging", "Leave the grid"],
] as const;

/** Everything that keys and the pointer do on this page. */
export function KeysDialog(): ReactElement {
  const { page } = useBlueprint();
  const open = usePage((state) => state.keysOpen);
  return (
    <Dialog
      open={open}
      onOpenChange={(keysOpen) => page.setState({ keysOpen })}
      title="Keys"
      width={640}
    >
      <div className="columns-2 gap-8">
        {(["Edit", "Move about", "Run"] as const).map((group) => (
          <section key={group} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-11 text-faint">{group}</h3>
            <dl>
              {bindings
                .filter((binding) => binding.group === group)
                .map(({ act, words, keys }) => (
                  <KeyRow key={act} words={words} keys={keys[0] ?? ""} />
                ))}
              {group === "Edit" &&
                clipboardKeys.map(({ keys, words }) => (
                  <KeyRow key={keys} words={words} keys={keys} />
                ))}
            </dl>
          </section>
        ))}
      </div>
      <h3 className="mb-1 text-11 text-faint">Pointer</h3>
      <dl>
        {pointerWays.map(([way, words]) => (
          <div key={way} className="flex justify-between gap-4 py-0.5">
            <dt>{words}</dt>
            <dd className="text-right text-muted">{way}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function KeyRow({ words, keys }: { words: string; keys: string }): ReactElement {
  return (
    <div className="flex items-center justify-between gap-4 py-0.5">
      <dt>{words}</dt>
      <dd>
        <Kbd keys={keys} />
      </dd>
    </div>
  );
}
