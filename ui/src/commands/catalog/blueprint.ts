import type { CommandDefinition } from "@/commands/command";

/** Commands for the open blueprint as a whole. Handlers: `blueprint/commands/blueprint.ts`. */
export const blueprintCommands = {
  rename_plan: {
    label: "Rename blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: ["Shift+F2"],
    keywords: "title",
  },
  plan_settings: {
    label: "Open blueprint settings",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "directory tags goal budget limits questions description",
  },
  explain_plan: {
    label: "Explain blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "agent describe",
  },
  duplicate_plan: {
    label: "Duplicate blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "copy clone",
  },
  export_plan: {
    label: "Export blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "save file yaml json mermaid dot graphviz markdown svg png picture image",
  },
  export_selection: {
    label: "Export selection",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "save mermaid dot graphviz markdown svg png picture image",
  },
  copy_plan: {
    label: "Copy blueprint as",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "clipboard text mermaid dot markdown yaml json svg",
  },
  star_plan: {
    label: "Star blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "favourite favorite mark pin",
  },
  list_runs: {
    label: "Show all runs",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "history list earlier",
  },
  show_versions: {
    label: "Show versions",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "history restore name earlier",
  },
  compare_versions: {
    label: "Compare versions",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "diff history changes earlier",
  },
  delete_plan: {
    label: "Delete blueprint",
    group: "Blueprint",
    scope: "blueprint",
    keys: [],
    keywords: "remove",
  },
} as const satisfies Record<string, CommandDefinition>;
