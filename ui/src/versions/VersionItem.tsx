import { Ellipsis } from "lucide-react";
import type { ReactElement } from "react";
import { Link, useNavigate } from "react-router";
import type { PlanId, PlanVersionRow } from "@/api/bindings";
import { formatAuthor } from "@/components/actor";
import { ButtonLink } from "@/components/ButtonLink";
import { formatNumber } from "@/components/formatCount";
import { IconButton } from "@/components/IconButton";
import { Menu, type MenuEntry } from "@/components/Menu";
import { RelativeTime } from "@/components/RelativeTime";
import { paths } from "@/shell/paths";
import { ApprovedMark } from "./ApprovedMark";
import { NamePill } from "./NamePill";
import { describeVersion } from "./versionText";

/** What every line needs besides its version. */
export interface VersionContext {
  plan: PlanId;
  latest: number | undefined;
  /** Returns the version before another; undefined for the first. */
  before: (version: number) => number | undefined;
  onName: (row: PlanVersionRow) => void;
}

/** One version: what it changed, its name, approval and runs, and what can be done with it. */
export function VersionItem({
  row,
  context,
}: {
  row: PlanVersionRow;
  context: VersionContext;
}): ReactElement {
  const { version, name, approval, author, at } = row;
  const { plan, latest, before } = context;
  const isLatest = version === latest;

  return (
    <div className="flex min-h-9 items-center gap-x-2 px-3 py-1 hover:bg-hover">
      <span className="w-22 shrink-0 pl-6 text-12 text-muted tabular-nums">v{version}</span>
      {/* In a narrow window, the facts go below. */}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
        <span dir="auto" className="line-clamp-2 min-w-40 flex-1 break-words">
          {describeVersion(row, before(version) === undefined)}
        </span>
        <span className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-x-2">
          {name !== null && <NamePill name={name} />}
          {approval && <ApprovedMark version={version} approval={approval} />}
          <VersionRuns plan={plan} row={row} />
          <span className="text-12 text-muted">
            {formatAuthor(author)}, <RelativeTime at={at} />
          </span>
        </span>
      </span>
      <span className="flex w-26 shrink-0 items-center justify-end gap-1">
        {isLatest ? (
          <span className="px-2 text-12 text-faint">Latest</span>
        ) : (
          <ButtonLink
            size="small"
            to={paths.versions(plan, version)}
            aria-label={`Restore version ${version}`}
          >
            Restore
          </ButtonLink>
        )}
        <VersionMenu row={row} context={context} />
      </span>
    </div>
  );
}

/** Links to the newest runs of a version, and to all runs if there are more. */
function VersionRuns({
  plan,
  row: { runs, runCount },
}: {
  plan: PlanId;
  row: PlanVersionRow;
}): ReactElement | null {
  if (runCount === 0) return null;
  const more = runCount - runs.length;
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-12 text-muted tabular-nums">
      {runCount === 1 ? "Run" : "Runs"}
      {runs.map(({ run, number }) => (
        <Link
          key={run}
          to={paths.blueprintAt(plan, { run })}
          aria-label={`Run ${number}`}
          className="text-accent-fg hover:underline"
        >
          #{number}
        </Link>
      ))}
      {more > 0 && (
        <Link to={paths.runsOf(plan)} className="text-accent-fg hover:underline">
          {formatNumber(more)} more
        </Link>
      )}
    </span>
  );
}

function VersionMenu({
  row,
  context: { plan, latest, before, onName },
}: {
  row: PlanVersionRow;
  context: VersionContext;
}): ReactElement {
  const navigate = useNavigate();
  const { version, name } = row;
  const earlier = before(version);
  const compare = (label: string, from: number, to: number): MenuEntry => ({
    kind: "act",
    label,
    onSelect: () => void navigate(paths.compare(plan, { from, to })),
  });
  const entries: MenuEntry[] = [
    { kind: "act", label: name === null ? "Name…" : "Rename…", onSelect: () => onName(row) },
    ...(earlier === undefined ? [] : [compare("Show its changes", earlier, version)]),
    ...(latest === undefined || latest === version
      ? []
      : [compare("Compare with latest", version, latest)]),
  ];
  return (
    <Menu align="end" entries={entries}>
      <IconButton
        size="small"
        label={`Actions for version ${version}`}
        icon={<Ellipsis aria-hidden="true" />}
      />
    </Menu>
  );
}
