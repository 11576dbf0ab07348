/** What a new blueprint can begin with. */
export type BlueprintOrigin = "generate" | "blank" | "command" | "agent" | "template" | "import";

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
  /** A blueprint that was opened from a node of another one, so that there is a way back. */
  blueprintFrom: (planId: string, from: { plan: string; node: string }) =>
    `/blueprints/${encodeURIComponent(planId)}?${new URLSearchParams({ from: from.plan, fromNode: from.node })}`,
  /** A blueprint with a node of it selected. */
  blueprintNode: (planId: string, node: string) =>
    `/blueprints/${encodeURIComponent(planId)}?${new URLSearchParams({ node })}`,
  /** What differs between versions of a blueprint; the last two unless told. */
  compare: (planId: string, between?: { from: number; to: number }) => {
    const words = between && { from: String(between.from), to: String(between.to) };
    const search = words ? `?${new URLSearchParams(words)}` : "";
    return `/blueprints/${encodeURIComponent(planId)}/compare${search}`;
  },
  sessions: "/sessions",
  /** A session by its id, of a node or of an agent's history; `at` a byte of its records, where `find` stands. */
  session: (id: string, place?: { at: number; find?: string | undefined }) => {
    const words = place && {
      at: String(place.at),
      ...(place.find !== undefined && { find: place.find }),
    };
    return `/session/${encodeURIComponent(id)}${words ? `?${new URLSearchParams(words)}` : ""}`;
  },
  proposal: (id: string) => `/proposals/${encodeURIComponent(id)}`,
  inbox: "/inbox",
  statistics: "/statistics",
  doctor: "/doctor",
  settings: "/settings",
  keys: "/settings/keys",
  licenses: "/settings/licenses",
  help: "/help",
  helpTopic: (id: string) => `/help/${encodeURIComponent(id)}`,
  /** A section of the settings, by its title. */
  settingsSection: (title: string) => `/settings?${new URLSearchParams({ section: title })}`,
} as const;
