/** What a new blueprint can begin with. */
export type BlueprintOrigin = "blank" | "command" | "agent" | "template" | "import";

/** The addresses of the pages. Nobody else writes one by hand. */
export const paths = {
  blueprints: "/blueprints",
  newBlueprint: "/blueprints/new",
  newBlueprintFrom: (origin: BlueprintOrigin) => `/blueprints/new?from=${origin}`,
  blueprint: (planId: string) => `/blueprints/${encodeURIComponent(planId)}`,
  node: (planId: string, nodeId: string) =>
    `/blueprints/${encodeURIComponent(planId)}/nodes/${encodeURIComponent(nodeId)}`,
  /** The graph of a blueprint with one of its runs, and a node of it selected. */
  blueprintAt: (planId: string, { run, node }: { run: string; node?: string | undefined }) =>
    `/blueprints/${encodeURIComponent(planId)}?${new URLSearchParams({ run, ...(node && { node }) })}`,
  inbox: "/inbox",
  settings: "/settings",
} as const;
