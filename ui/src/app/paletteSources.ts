import type {
  InboxItem,
  PlanSummary,
  ProposalSummary,
  RequestView,
  RunSummary,
  TemplateRow,
  TranscriptRow,
} from "@/api/bindings";
import { askWords } from "@/asks/ask";
import { operationWords, requesterWords } from "@/asks/request";
import type { Choice } from "@/commands/command";
import type { Source } from "@/commands/sources";
import { relativeTime } from "@/components/time";
import { titleWords } from "@/plan/nodeWords";
import { kindWords, stateWords } from "@/planner/proposalWords";
import { agentTitle, sessionTitle } from "@/sessions/sessionWords";
import { sectionsOf } from "@/settings/sections";
import { paths } from "@/shell/paths";
import { createFrom, type Surroundings } from "./commands";

/** How many runs, sessions and proposals are found, the latest first. The pages have them all. */
const mostRecent = 50;

/** What the palette finds on every page, beside commands. */
export function appSources({ backend, go }: Surroundings): readonly Source[] {
  const to = (address: string) => ({ run: () => go(address) });
  const now = () => Date.now();

  const waiting = ({ run, plan, planTitle, node, ask }: InboxItem): Choice => ({
    id: `${run} ${node?.id ?? ""}`,
    words: askWords(ask),
    detail: [node && titleWords(node.title), titleWords(planTitle)].filter(Boolean).join(" in "),
    ...to(paths.blueprintAt(plan, { run, node: node?.id })),
  });
  const request = (asked: RequestView): Choice => ({
    id: asked.id,
    words: operationWords(asked),
    detail: requesterWords(asked),
    also: asked.operation,
    ...to(paths.inbox),
  });
  const blueprint = ({ id, title, description, tags, cwd }: PlanSummary): Choice => ({
    id,
    words: titleWords(title),
    detail: tags.join(", "),
    also: [description.slice(0, 200), ...tags, cwd].filter(Boolean).join(" "),
    ...to(paths.blueprint(id)),
  });
  const proposal = ({ id, kind, state, title }: ProposalSummary): Choice => ({
    id,
    words: title,
    detail: `${kindWords(kind)} · ${stateWords(state)}`,
    ...to(paths.proposal(id)),
  });
  const run = ({ id, plan, title, state, startedAt, version }: RunSummary): Choice => ({
    id,
    words: titleWords(title),
    detail: `${relativeTime(startedAt, now())} · v${version} · ${state.state}`,
    also: "run",
    ...to(paths.blueprintAt(plan, { run: id })),
  });
  const session = (row: TranscriptRow): Choice => ({
    id: row.id,
    words: sessionTitle(row),
    detail: [agentTitle(row.agent), row.endedAt && relativeTime(row.endedAt, now())]
      .filter(Boolean)
      .join(" · "),
    also: [row.project, "session"].filter(Boolean).join(" "),
    ...to(paths.session(row.id)),
  });
  const template = ({ id, title, description, plan }: TemplateRow): Choice => ({
    id,
    words: `New blueprint from “${title}”`,
    detail: description,
    also: "template create",
    run: () => createFrom({ backend, go }, id, plan.cwd),
  });

  return [
    {
      title: "Waiting for you",
      entries: async () => {
        const [items, requests] = await Promise.all([
          backend.call("inbox_list", {}),
          backend.call("requests_list", {}),
        ]);
        return [...items.map(waiting), ...requests.map(request)];
      },
    },
    {
      title: "Blueprints",
      entries: async () => (await backend.call("plans_list", {})).map(blueprint),
    },
    {
      title: "Proposals",
      entries: async () => {
        const wish = { open: true, plan: null, limit: mostRecent };
        return (await backend.call("proposals_list", wish)).map(proposal);
      },
    },
    {
      title: "Runs",
      entries: async () =>
        (await backend.call("runs_list", { plan: null, limit: mostRecent })).map(run),
    },
    {
      title: "Sessions",
      entries: async () =>
        (await backend.call("transcripts_list", latestSessions)).rows.map(session),
    },
    {
      title: "Templates",
      entries: async () => (await backend.call("templates_list", {})).map(template),
    },
    {
      title: "Settings",
      entries: () =>
        sectionsOf(backend.desktop !== undefined).map(({ title, also }) => ({
          id: title,
          words: `Settings: ${title}`,
          also,
          ...to(paths.settingsSection(title)),
        })),
    },
  ];
}

const latestSessions = {
  agent: null,
  project: null,
  starred: null,
  tag: null,
  linked: null,
  text: null,
  sort: null,
  offset: null,
  limit: mostRecent,
};
