import { ChevronRight } from "lucide-react";
import { type ReactElement, useId, useMemo, useState } from "react";
import type { PlanId, PlanVersionRow } from "@/api/bindings";
import { formatAuthor } from "@/components/actor";
import { classes } from "@/components/classes";
import { formatCount } from "@/components/formatCount";
import { IncrementalList } from "@/components/IncrementalList";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { RelativeTime } from "@/components/RelativeTime";
import { ApprovedMark } from "./ApprovedMark";
import { NamePill } from "./NamePill";
import { NameVersionDialog } from "./NameVersionDialog";
import { groupIntoSittings, type Sitting } from "./sittings";
import { type VersionContext, VersionItem } from "./VersionItem";
import { describeVersions } from "./versionText";

/** All versions, newest first. Those of one sitting are one line that opens. */
export function VersionList({
  plan,
  versions,
}: {
  plan: PlanId;
  versions: readonly PlanVersionRow[];
}): ReactElement {
  const [naming, setNaming] = useState<PlanVersionRow>();
  const sittings = useMemo(() => groupIntoSittings(versions), [versions]);
  const context = useMemo((): VersionContext => {
    const earlier = new Map(versions.map((row, at) => [row.version, versions[at + 1]?.version]));
    return {
      plan,
      latest: versions[0]?.version,
      before: (version) => earlier.get(version),
      onName: setNaming,
    };
  }, [plan, versions]);

  return (
    <section
      {...keyboardScrollable}
      aria-label="Versions"
      className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto px-4 py-3"
    >
      <IncrementalList
        items={sittings}
        keyOf={({ rows }) => String(rows.at(-1)?.version)}
        className="divide-y rounded-card border bg-surface"
      >
        {(sitting) =>
          sitting.rows.length === 1 ? (
            <VersionItem row={sitting.rows[0]} context={context} />
          ) : (
            <SittingItem sitting={sitting} context={context} />
          )
        }
      </IncrementalList>
      {naming && (
        <NameVersionDialog plan={plan} row={naming} onClose={() => setNaming(undefined)} />
      )}
    </section>
  );
}

/** The versions of one sitting in a line: "Renamed Lint, added Test · 4 versions". */
function SittingItem({
  sitting: { rows },
  context,
}: {
  sitting: Sitting;
  context: VersionContext;
}): ReactElement {
  const [open, setOpen] = useState(false);
  const list = useId();
  const [newest] = rows;
  const oldest = rows.at(-1) ?? newest;
  const approved = rows.find(({ approval }) => approval !== null);
  const names = rows.flatMap(({ name }) => name ?? []);

  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2 px-3 py-1 text-left hover:bg-hover"
      >
        <ChevronRight
          aria-hidden="true"
          className={classes("size-4 shrink-0 text-faint", open && "rotate-90")}
        />
        <span className="w-16 shrink-0 text-12 text-muted tabular-nums">
          v{oldest.version}–{newest.version}
        </span>
        {/* In a narrow window, the facts go below. */}
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
          <span dir="auto" className="line-clamp-2 min-w-40 flex-1 break-words">
            {describeVersions(rows)}
          </span>
          <span className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-x-2">
            {!open && names.slice(0, 2).map((name) => <NamePill key={name} name={name} />)}
            {!open && approved?.approval && (
              <ApprovedMark named version={approved.version} approval={approved.approval} />
            )}
            <span className="text-12 text-muted tabular-nums">
              {formatCount(rows.length, "version")}
            </span>
            <span className="text-12 text-muted">
              {formatAuthor(newest.author)}, <RelativeTime at={newest.at} />
            </span>
          </span>
        </span>
      </button>
      {open && (
        <div id={list} className="border-t bg-raised">
          <IncrementalList
            items={rows}
            keyOf={({ version }) => String(version)}
            className="divide-y pl-6"
          >
            {(row) => <VersionItem row={row} context={context} />}
          </IncrementalList>
        </div>
      )}
    </>
  );
}
