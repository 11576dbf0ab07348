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
  settings: "/settings",
} as const;
