import { Plus, X } from "lucide-react";
import { Tabs } from "radix-ui";
import type { ReactElement } from "react";
import type { PlanId, TerminalView, WorkPlace } from "@/api/bindings";
import { IconButton } from "@/components/IconButton";
import { Kbd } from "@/components/Kbd";
import { Menu, type MenuEntry } from "@/components/Menu";
import { leaveKeys } from "./terminalText";
import { useScreenReaderMode } from "./useScreenReaderMode";

export interface TerminalHeaderProps {
  plan: PlanId;
  node: { place: WorkPlace; title: string } | undefined;
  terminals: readonly TerminalView[];
  shown: TerminalView | undefined;
  name: (terminal: TerminalView) => string;
  onOpen: (place: WorkPlace) => void;
  onClose: (terminal: TerminalView) => void;
}

/** The tabs of the terminals, and what can be done with the shown one. Needs `Tabs.Root` above it. */
export function TerminalHeader({
  plan,
  node,
  terminals,
  shown,
  name,
  onOpen,
  onClose,
}: TerminalHeaderProps): ReactElement {
  const [screenReader, setScreenReader] = useScreenReaderMode();
  const places: MenuEntry[] = [
    {
      kind: "act",
      label: "In the blueprint's directory",
      onSelect: () => onOpen({ kind: "plan", plan }),
    },
  ];
  if (node) {
    const label = `In the directory of ${node.title}`;
    places.push({ kind: "act", label, onSelect: () => onOpen(node.place) });
  }
  return (
    <>
      <Tabs.List aria-label="Terminals" className="flex min-w-0 gap-1 overflow-x-auto">
        {terminals.map((terminal) => (
          <Tabs.Trigger
            key={terminal.id}
            value={terminal.id}
            title={terminal.directory}
            className="max-w-48 shrink-0 truncate rounded-control px-2 py-0.5 text-12 text-muted focus-visible:-outline-offset-2 hover:bg-hover hover:text-fg data-[state=active]:bg-active data-[state=active]:text-fg"
          >
            {name(terminal)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Menu entries={places}>
        <IconButton label="New terminal" size="small" side="top" icon={<Plus />} />
      </Menu>
      {shown && (
        <>
          <IconButton
            label={`Close terminal of ${name(shown)}`}
            size="small"
            side="top"
            icon={<X />}
            onClick={() => onClose(shown)}
          />
          <label className="ml-auto flex shrink-0 items-center gap-1.5 text-12 text-muted">
            <input
              type="checkbox"
              checked={screenReader}
              onChange={({ target }) => setScreenReader(target.checked)}
            />
            Screen reader mode
          </label>
          {/* Also in the name of the terminal, where a narrow drawer has no room for it. */}
          <span className="hidden shrink-0 items-center gap-1.5 text-12 text-faint @min-[36rem]:flex">
            <Kbd keys={leaveKeys} /> leaves the terminal
          </span>
        </>
      )}
    </>
  );
}
