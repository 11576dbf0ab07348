import type { Definition } from "../command";

/** What changes how the blueprint is shown, and nothing of it. Acts: `blueprint/commands/view.ts`. */
export const viewCommands = {
  fit: {
    words: "Show the whole plan",
    group: "View",
    scope: "blueprint",
    keys: ["1"],
    also: "zoom fit",
  },
  zoom_selection: {
    words: "Zoom to the selection",
    group: "View",
    scope: "blueprint",
    keys: ["2"],
  },
  zoom_actual: { words: "Zoom to 100 %", group: "View", scope: "blueprint", keys: ["0"] },
  zoom_in: {
    words: "Zoom in",
    group: "View",
    scope: "blueprint",
    keys: ["+", "="],
    repeats: true,
  },
  zoom_out: { words: "Zoom out", group: "View", scope: "blueprint", keys: ["-"], repeats: true },
  view_graph: {
    words: "Show the graph",
    group: "View",
    scope: "blueprint",
    keys: [],
    also: "canvas",
  },
  view_list: {
    words: "Show the list",
    group: "View",
    scope: "blueprint",
    keys: [],
    also: "outline",
  },
  inspect: { words: "Open the inspector", group: "View", scope: "nodes", keys: ["Enter"] },
  toggle_inspector: {
    words: "Show or hide the inspector",
    group: "View",
    scope: "blueprint",
    keys: [],
    also: "panel right side settings",
  },
  toggle_drawer: {
    words: "Show or hide the drawer",
    group: "View",
    scope: "blueprint",
    keys: [],
    also: "timeline history log panel below",
  },
  toggle_map: {
    words: "Show or hide the map of the plan",
    group: "View",
    scope: "blueprint",
    keys: ["M"],
    also: "minimap overview",
  },
  open_inside: {
    words: "Open the blueprint inside a node",
    group: "View",
    scope: "nodes",
    keys: ["O"],
    also: "sub plan nested",
  },
} as const satisfies Record<string, Definition>;
