// biome-ignore-all lint/a11y/useSemanticElements: table rows can't be positioned individually
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and references its active row
import { NotebookPen, TriangleAlert, Workflow } from "lucide-react";
import { type MouseEvent, memo, type ReactElement, type ReactNode } from "react";
import { Link } from "react-router";
import type { Enrichment, TranscriptExcerpt, TranscriptRow } from "@/api/bindings";
import { classes } from "@/components/classes";
import { Duration } from "@/components/Duration";
import { formatNumber } from "@/components/formatCount";
import { RelativeTime } from "@/components/RelativeTime";
import { shortenPath } from "@/components/shortenPath";
import { TagRow } from "@/components/TagRow";
import { paths } from "@/shell/paths";
import { AgentIcon } from "./AgentIcon";
import { excerptPath, SearchExcerpt } from "./SearchExcerpt";
import { SessionStar } from "./SessionStar";
import { SessionCost, SessionTokens } from "./SessionUsage";
import { columnVisibility, columnWidths } from "./sessionColumns";
import { sessionDuration, sessionTitle } from "./sessionText";
import type { ListedSession } from "./usePagedSessions";

/** The excerpts shown in the list: at most two. Those without text are left out. */
export function shownExcerpts({ excerpts }: ListedSession): readonly TranscriptExcerpt[] {
  return excerpts.filter(({ pieces }) => pieces.length > 0).slice(0, 2);
}

export interface SessionRowProps {
  session: ListedSession;
  /** Its star, tags and note. */
  noted: Enrichment;
  /** The index in the list, from 0. */
  line: number;
  current: boolean;
  home: string | undefined;
  onPress: (line: number) => void;
  onOpen: (line: number) => void;
  onPoint: (line: number) => void;
}

/** A row with one session and, below it, the excerpts that a search found. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps): ReactElement {
  const { session, noted, line, current, home, onPress, onOpen, onPoint } = props;
  const { row, excerpts } = session;
  const title = sessionTitle(row);
  const length = sessionDuration(row);
  const shown = shownExcerpts(session);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the grid does the same
    <div
      role="row"
      id={`session-line-${line}`}
      aria-rowindex={line + 2}
      aria-selected={current}
      onPointerDown={() => onPoint(line)}
      onClick={() => onPress(line)}
      onDoubleClick={() => onOpen(line)}
      className={classes(
        columnWidths,
        "group cursor-default border-b hover:bg-hover aria-selected:bg-accent-tint",
      )}
    >
      <Cell className="flex items-center pr-0 pl-2.5">
        <SessionStar id={row.id} title={title} inList />
      </Cell>
      <Cell>
        <TitleText row={row} title={title} to={excerptPath(row.id, excerpts[0])} noted={noted} />
      </Cell>
      <Cell
        title={row.project ?? undefined}
        className={classes(columnVisibility.narrow, "text-12 text-muted")}
      >
        {row.project === null ? (
          <span className="text-faint">unknown</span>
        ) : (
          shortenPath(row.project, home, 18)
        )}
      </Cell>
      <Cell className="text-12 text-muted">
        <WhenText row={row} />
      </Cell>
      <Cell numeric className={columnVisibility.medium}>
        {length === undefined ? (
          <span className="text-faint">unknown</span>
        ) : (
          <Duration milliseconds={length} />
        )}
      </Cell>
      <Cell numeric className={columnVisibility.medium}>
        {formatNumber(row.messages)}
      </Cell>
      <Cell numeric>
        <SessionTokens row={row} />
      </Cell>
      <Cell numeric className={columnVisibility.narrow}>
        <SessionCost row={row} />
      </Cell>
      <Cell className={classes(columnVisibility.wide, "items-center")}>
        <TagRow tags={noted.tags} />
      </Cell>
      <Cell className="text-12">{row.link && <NodeLink link={row.link} title={title} />}</Cell>
      {shown.length > 0 && (
        <div role="gridcell" className="col-start-2 -col-end-1 min-w-0 px-2 pb-1 pl-8">
          {shown.map((excerpt) => (
            <SearchExcerpt key={excerpt.at} id={row.id} excerpt={excerpt} />
          ))}
        </div>
      )}
    </div>
  );
});

interface CellProps {
  children: ReactNode;
  numeric?: boolean;
  className?: string;
  title?: string | undefined;
}

function Cell({ children, numeric = false, className, title }: CellProps): ReactElement {
  return (
    <div
      role="gridcell"
      title={title}
      className={classes(
        "h-6.75 min-w-0 truncate px-2 leading-6.75",
        numeric && "text-right tabular-nums",
        className,
      )}
    >
      {children}
    </div>
  );
}

interface TitleProps {
  row: TranscriptRow;
  title: string;
  to: string;
  noted: Enrichment;
}

/**
 * A plain click on the link acts like a click on its row; clicks with a modifier key open the link.
 */
function keepToRow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) event.stopPropagation();
  else event.preventDefault();
}

function TitleText({ row, title, to, noted }: TitleProps): ReactElement {
  return (
    <span className="flex h-full min-w-0 items-center gap-2">
      <AgentIcon agentTitle={row.agentTitle} agentMark={row.agentMark} />
      <Link
        to={to}
        tabIndex={-1}
        draggable={false}
        dir="auto"
        title={title}
        onClick={keepToRow}
        className={classes("min-w-0 truncate font-medium", row.title === null && "text-faint")}
      >
        {title}
      </Link>
      {noted.notes !== "" && (
        <span
          role="img"
          aria-label="Has a note"
          title={noted.notes}
          className="shrink-0 text-faint"
        >
          <NotebookPen className="size-3.5" aria-hidden="true" />
        </span>
      )}
      {row.trouble !== null && (
        <span
          role="img"
          aria-label={`Partially read: ${row.trouble}`}
          title={row.trouble}
          className="shrink-0 text-state-waiting"
        >
          <TriangleAlert className="size-3.5" aria-hidden="true" />
        </span>
      )}
    </span>
  );
}

function WhenText({ row }: { row: TranscriptRow }): ReactElement {
  const at = row.endedAt ?? row.startedAt;
  return at === null ? <span className="text-faint">unknown</span> : <RelativeTime at={at} />;
}

function NodeLink({ link, title }: { link: NonNullable<TranscriptRow["link"]>; title: string }) {
  return (
    <Link
      to={paths.node(link.plan, link.node)}
      tabIndex={-1}
      draggable={false}
      aria-label={`Node in ${title}`}
      onClick={(event) => event.stopPropagation()}
      className="inline-flex items-center gap-1 text-muted hover:text-fg hover:underline"
    >
      <Workflow className="size-3.5" aria-hidden="true" />
      Node
    </Link>
  );
}
