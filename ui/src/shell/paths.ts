/** The ways to start a new blueprint. */
export type BlueprintOrigin = "generate" | "blank" | "command" | "agent" | "template" | "import";

/** The URLs of all pages. Use these instead of writing URLs elsewhere. */
export const paths = {
  blueprints: "/blueprints",
  newBlueprint: "/blueprints/new",
  newBlueprintFrom: (origin: BlueprintOrigin) => `/blueprints/new?from=${origin}`,
  blueprint: (planId: string) => `/blueprints/${encodeURIComponent(planId)}`,
  node: (planId: string, nodeId: string) =>
    `/blueprints/${encodeURIComponent(planId)}/nodes/${encodeURIComponent(nodeId)}`,
  /** A blueprint with one of its runs shown, and optionally a node selected. */
  blueprintAt: (planId: string, { run, node }: { run: string; node?: string | undefined }) =>
    `/blueprints/${encodeURIComponent(planId)}?${new URLSearchParams({ run, ...(node && { node }) })}`,
  /** A blueprint with one of its runs shown, and its first node in this state selected. */
  blueprintInState: (planId: string, at: { run: string; state: string }) =>
    `/blueprints/${encodeURIComponent(planId)}?${new URLSearchParams(at)}`,
  /** A blueprint opened from a node of another one, with a link back. */
  blueprintFrom: (planId: string, from: { plan: string; node: string }) =>
    `/blueprints/${encodeURIComponent(planId)}?${new URLSearchParams({ from: from.plan, fromNode: from.node })}`,
  /** A blueprint with a node selected. */
  blueprintNode: (planId: string, node: string) =>
    `/blueprints/${encodeURIComponent(planId)}?${new URLSearchParams({ node })}`,
  /** A blueprint with its settings shown beside it. */
  blueprintSettings: (planId: string) => `/blueprints/${encodeURIComponent(planId)}?panel=settings`,
  /** A comparison of two versions of a blueprint; the last two by default. */
  compare: (planId: string, between?: { from: number; to: number }) => {
    const words = between && { from: String(between.from), to: String(between.to) };
    const search = words ? `?${new URLSearchParams(words)}` : "";
    return `/blueprints/${encodeURIComponent(planId)}/compare${search}`;
  },
  /** The versions of a blueprint. `restore` previews restoring one. */
  versions: (planId: string, restore?: number) => {
    const search =
      restore === undefined ? "" : `?${new URLSearchParams({ restore: String(restore) })}`;
    return `/blueprints/${encodeURIComponent(planId)}/versions${search}`;
  },
  runs: "/runs",
  /** The runs of one blueprint. */
  runsOf: (planId: string) => `/runs?${new URLSearchParams({ plan: planId })}`,
  /** The runs that match filters. `since` is a day such as `2026-11-20`. */
  runsWhere: (filter: {
    plan?: string | undefined;
    states?: readonly string[];
    since?: string | undefined;
    sort?: string;
  }) => {
    const { plan, states = [], since, sort } = filter;
    const words = { plan, state: states.join(","), period: since, sort };
    const given = Object.entries(words).flatMap(([name, word]) => (word ? [[name, word]] : []));
    return given.length === 0 ? "/runs" : `/runs?${new URLSearchParams(given)}`;
  },
  /** A run by its id: opens its blueprint. `node` is a node's id, `first_failed` or `costliest`. */
  run: (id: string, node?: string) =>
    `/runs/${encodeURIComponent(id)}${node === undefined ? "" : `?${new URLSearchParams({ node })}`}`,
  /** A comparison of two runs. */
  compareRuns: (a: string, b: string) => `/runs/compare?${new URLSearchParams({ a, b })}`,
  sessions: "/sessions",
  /** A session by its id. `at` is a byte offset in its transcript where `find` occurs. */
  session: (id: string, place?: { at: number; find?: string | undefined }) => {
    const words = place && {
      at: String(place.at),
      ...(place.find !== undefined && { find: place.find }),
    };
    return `/session/${encodeURIComponent(id)}${words ? `?${new URLSearchParams(words)}` : ""}`;
  },
  /** What the node of a session changed, with a review. */
  sessionChanges: (id: string) => `/session/${encodeURIComponent(id)}?view=changes`,
  proposal: (id: string) => `/proposals/${encodeURIComponent(id)}`,
  inbox: "/inbox",
  statistics: "/statistics",
  /** The statistics of one blueprint, of all its runs. */
  statisticsOf: (planId: string) =>
    `/statistics?${new URLSearchParams({ plan: planId, range: "all" })}`,
  doctor: "/doctor",
  settings: "/settings",
  keys: "/settings/keys",
  licenses: "/settings/licenses",
  help: "/help",
  helpTopic: (id: string) => `/help/${encodeURIComponent(id)}`,
  /** The reference of the REST API. */
  api: "/help/api",
  /** An operation in the reference of the REST API, by its `operationId`. */
  apiOperation: (id: string) => `/help/api/${encodeURIComponent(id)}`,
  /** A section of the settings, by its title. */
  settingsSection: (title: string) => `/settings?${new URLSearchParams({ section: title })}`,
} as const;
