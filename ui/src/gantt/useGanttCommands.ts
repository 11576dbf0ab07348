import { useEffect, useMemo, useRef } from "react";
import { useCommands } from "@/commands/commandRegistry";

interface Zoom {
  zoomIn: () => void;
  zoomOut: () => void;
  showAll: () => void;
}

/** Makes the zoom commands of the graph zoom the Times view while it is visible. */
export function useGanttCommands(zoom: Zoom): void {
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  useCommands(
    useMemo(
      () => ({
        zoom_in: { run: () => latest.current.zoomIn() },
        zoom_out: { run: () => latest.current.zoomOut() },
        fit: { label: () => "Show the whole run", run: () => latest.current.showAll() },
      }),
      [],
    ),
  );
}
