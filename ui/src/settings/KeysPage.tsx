import { Search } from "lucide-react";
import { type ReactElement, useState } from "react";
import { type CommandId, commandIds, definitionOf } from "@/commands/catalog";
import { groupOrder } from "@/commands/command";
import { useKeyBindings } from "@/commands/keyBindings";
import { matchesSearch } from "@/commands/matchesSearch";
import { canRebind, isRebound, resetAllKeys } from "@/commands/rebindKeys";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { formatShortcut } from "@/components/Kbd";
import { TextField } from "@/components/TextField";
import { Breadcrumbs } from "@/shell/Breadcrumbs";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { KeyRow } from "./KeyRow";

/** Lists all commands with their shortcuts, which can be changed. */
export function KeysPage(): ReactElement {
  const { keysOf } = useKeyBindings();
  const [search, setSearch] = useState("");
  const [asking, setAsking] = useState(false);
  const [announcement, announce] = useState("");
  const may = canRebind();
  const found = commandIds.filter((id) => fits(id, keysOf(id), search));
  const rebound = commandIds.some((id) => isRebound(id, keysOf(id)));

  return (
    <>
      <PageHeader
        title="Keyboard shortcuts"
        heading={
          <Breadcrumbs
            parent={{ title: "Settings", path: paths.settings }}
            title="Keyboard shortcuts"
          />
        }
        actions={
          <Button disabled={!may || !rebound} onClick={() => setAsking(true)}>
            Reset all shortcuts
          </Button>
        }
      />
      <div className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-190 flex-col gap-4 px-6 py-6">
          <p className="text-muted">
            {may
              ? "Some shortcuts work everywhere, others only on a blueprint or in a focused list. None work while you type. Changes apply to all open windows."
              : "A newer version of Baton saved the shortcuts. They are kept, but the defaults apply here."}
          </p>
          <TextField
            label="Search shortcuts"
            labelHidden
            type="search"
            placeholder="Search by name or keys"
            icon={<Search />}
            value={search}
            onChange={setSearch}
          />
          {found.length === 0 && <p className="text-muted">No matches</p>}
          {groupOrder.map((group) => {
            const inside = found.filter((id) => definitionOf(id).group === group);
            return (
              inside.length > 0 && (
                <section key={group} aria-label={group} className="flex flex-col gap-1.5">
                  <h2 className="font-semibold text-15">{group}</h2>
                  <ul className="flex flex-col rounded-card border">
                    {inside.map((id) => (
                      <KeyRow key={id} id={id} disabled={!may} onAnnounce={announce} />
                    ))}
                  </ul>
                </section>
              )
            );
          })}
        </div>
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Reset all shortcuts?"
        confirmLabel="Reset all shortcuts"
        onConfirm={() => {
          setAsking(false);
          resetAllKeys();
          announce("All shortcuts reset");
        }}
      >
        All shortcuts return to their defaults. Your changes are lost.
      </ConfirmDialog>
    </>
  );
}

function fits(id: CommandId, keys: readonly string[], search: string): boolean {
  const { label, keywords, group } = definitionOf(id);
  return matchesSearch(
    search,
    [label, keywords, group, ...keys, ...keys.map(formatShortcut)].join(" "),
  );
}
