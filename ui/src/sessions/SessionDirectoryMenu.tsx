import { ChevronDown } from "lucide-react";
import type { ReactElement } from "react";
import { useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import type { SessionView, WorkPlace } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Menu, type MenuEntry } from "@/components/Menu";
import { openDirectory } from "@/plan/openDirectory";
import { paths } from "@/shell/paths";
import { terminalNavigation } from "@/shell/terminalNavigation";

/** Opens the directory in which the session's node worked. */
export function SessionDirectoryMenu({
  session: { plan, run, node },
}: {
  session: Pick<SessionView, "plan" | "run" | "node">;
}): ReactElement {
  const backend = useBackend();
  const navigate = useNavigate();
  const place: WorkPlace = { kind: "node", run, node };
  const entries: MenuEntry[] = [
    {
      kind: "act",
      label: "Open terminal",
      onSelect: () =>
        void navigate(paths.blueprintAt(plan, { run, node }), { state: terminalNavigation }),
    },
  ];
  // In a browser the page may be on another machine than the files.
  if (backend.desktop)
    entries.push(
      {
        kind: "act",
        label: "Open folder",
        onSelect: () => void openDirectory(backend, place, "file_manager"),
      },
      {
        kind: "act",
        label: "Open in editor",
        onSelect: () => void openDirectory(backend, place, "editor"),
      },
    );
  return (
    <Menu entries={entries} align="end">
      <Button>
        Directory
        <ChevronDown aria-hidden="true" />
      </Button>
    </Menu>
  );
}
