import type {
  InboxItem,
  PlanSummary,
  ProposalSummary,
  RequestView,
  RunSummary,
  TemplateRow,
  TranscriptRow,
} from "@/api/bindings";
import type { Choice } from "@/commands/command";
import type { PaletteSource } from "@/commands/paletteSources";
import { recentPagesOf } from "@/commands/recentEntries";
import { quoteTitle } from "@/components/quotedTitle";
import { runStateLabel } from "@/components/RunStateLabel";
import { formatPastTime } from "@/components/time";
import { describeOperation, describeRequester } from "@/pending/agentRequest";
import { describeAsk } from "@/pending/pendingItem";
import { displayTitle } from "@/plan/nodeText";
import { proposalKindLabel, proposalStateLabel } from "@/planner/proposalText";
import { sessionTitle } from "@/sessions/sessionText";
import { settingsSections } from "@/settings/settingsSections";
import { paths } from "@/shell/paths";
import { type CommandContext, createFromTemplate } from "./commands";

/**
 * The number of runs, sessions and proposals that the palette searches, latest first. Their pages
 * list all.
 */
const maxRecent = 50;

/** Returns the palette sources that are available on every page, in addition to commands. */
export function appPaletteSources({ backend, go }: CommandContext): readonly PaletteSource[] {
  const to = (address: string) => ({ run: () => go(address) });
  const now = () => Date.now();
  const recent = (source: string) => () =>
    recentPagesOf(source).map(({ id, address, ...row }) => ({
      ...row,
      id: id.slice(source.length + 1),
      ...to(address),
    }));

  const waiting = ({ run, plan, planTitle, node, ask }: InboxItem): Choice => ({
    id: `${run} ${node?.id ?? ""}`,
    label: describeAsk(ask),
    detail: [node && displayTitle(node.title), displayTitle(planTitle)]
      .filter(Boolean)
      .join(" in "),
    ...to(paths.blueprintAt(plan, { run, node: node?.id })),
  });
  const request = (asked: RequestView): Choice => ({
    id: asked.id,
    label: describeOperation(asked),
    detail: describeRequester(asked),
    keywords: asked.operation,
    ...to(paths.inbox),
  });
  const blueprint = ({ id, title, description, tags, cwd }: PlanSummary): Choice => ({
    id,
    label: displayTitle(title),
    detail: tags.join(", "),
    keywords: [description.slice(0, 200), ...tags, cwd].filter(Boolean).join(" "),
    ...to(paths.blueprint(id)),
  });
  const proposal = ({ id, kind, state, title, author }: ProposalSummary): Choice => ({
    id,
    label: title,
    detail: `${proposalKindLabel(kind)} · ${proposalStateLabel({ state, author })}`,
    ...to(paths.proposal(id)),
  });
  const run = ({ id, plan, number, title, state, startedAt, version }: RunSummary): Choice => ({
    id,
    label: displayTitle(title),
    detail: `#${number} · ${formatPastTime(startedAt, now())} · v${version} · ${runStateLabel(state.state).toLowerCase()}`,
    keywords: "run",
    ...to(paths.blueprintAt(plan, { run: id })),
  });
  const session = (row: TranscriptRow): Choice => ({
    id: row.id,
    label: sessionTitle(row),
    detail: [row.agentTitle, row.endedAt && formatPastTime(row.endedAt, now())]
      .filter(Boolean)
      .join(" · "),
    keywords: [row.project, "session"].filter(Boolean).join(" "),
    ...to(paths.session(row.id)),
  });
  const template = ({ id, title, description, plan }: TemplateRow): Choice => ({
    id,
    label: `New blueprint from ${quoteTitle(title)}`,
    detail: description,
    keywords: "template create",
    run: () => createFromTemplate({ backend, go }, id, plan.cwd),
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
      recent: recent("Blueprints"),
      isComplete: true,
      entries: async () => (await backend.call("plans_list", {})).map(blueprint),
    },
    {
      title: "Proposals",
      entries: async () => {
        const wish = { open: true, plan: null, limit: maxRecent };
        return (await backend.call("proposals_list", wish)).map(proposal);
      },
    },
    {
      title: "Runs",
      recent: recent("Runs"),
      entries: async () =>
        (await backend.call("runs_list", { plan: null, limit: maxRecent })).map(run),
    },
    {
      title: "Sessions",
      recent: recent("Sessions"),
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
        settingsSections(backend.desktop !== undefined).map(({ title, also }) => ({
          id: title,
          label: `Settings: ${title}`,
          keywords: also,
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
  limit: maxRecent,
};
