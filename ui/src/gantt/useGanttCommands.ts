import { useEffect, useMemo, useRef } from "react";
import { useCommands } from "@/commands/commandRegistry";

interface Zoom {
  zoomIn: () => void;
  zoomOut: () => void;
  showAll: () => void;
}

/** The keys of the graph's zoom zoom the times while these are on screen. */
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
        fit: { words: () => "Show the whole run", run: () => latest.current.showAll() },
      }),
      [],
    ),
  );
}
