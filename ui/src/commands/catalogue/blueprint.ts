import type { Definition } from "../command";

/** What concerns the open blueprint as a whole. Acts: `blueprint/commands/blueprint.ts`. */
export const blueprintCommands = {
  rename_plan: {
    words: "Rename the blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: ["Shift+F2"],
    also: "title",
  },
  plan_settings: {
    words: "Open the plan's settings",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "directory tags goal budget limits questions description",
  },
  explain_plan: {
    words: "Explain this blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "agent describe",
  },
  duplicate_plan: {
    words: "Duplicate this blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "copy clone",
  },
  export_plan: {
    words: "Export this blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "save file yaml json mermaid dot graphviz markdown svg png picture image",
  },
  export_selection: {
    words: "Export the selection",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "save mermaid dot graphviz markdown svg png picture image",
  },
  copy_plan: {
    words: "Copy this blueprint as",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "clipboard text mermaid dot markdown yaml json svg",
  },
  star_plan: {
    words: "Star this blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "favourite favorite mark pin",
  },
  compare_versions: {
    words: "Compare versions",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "diff history changes earlier",
  },
  delete_plan: {
    words: "Delete this blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    also: "remove",
  },
} as const satisfies Record<string, Definition>;
