import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useOperation } from "@/api/queries";
import { localCommandFor } from "@/commands/localCommands";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { formatNumber } from "@/components/formatCount";
import { Skeleton } from "@/components/Skeleton";
import { homeFromDataDirectory } from "@/components/shortenPath";
import { useIsWideWindow } from "@/components/useWindowSizeMatch";
import { useTextScale } from "@/design/textScale";
import { getEnrichment, useEnrichmentChange } from "@/shell/enrichments";
import { NoteDialog } from "@/shell/NoteDialog";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { SplitPanels } from "@/shell/SplitPanels";
import { IndexErrors, IndexProgress } from "./IndexProgress";
import { lastOpenedRow } from "./lastOpenedRow";
import { excerptPath } from "./SearchExcerpt";
import { SessionPreview } from "./SessionPreview";
import { SessionsTable } from "./SessionsTable";
import { SessionsToolbar } from "./SessionsToolbar";
import { defaultQuery, fullTextQuery, isFiltered, type SessionsQuery } from "./sessionsQuery";
import { noteHint, sessionTitle } from "./sessionText";
import { TagsDialog } from "./TagsDialog";
import { useDebouncedSession } from "./useDebouncedSession";
import { type PagedSessions, usePagedSessions } from "./usePagedSessions";
import { useSessionsQuery } from "./useSessionsQuery";

/** The sessions in the agents' histories on this machine. */
export function SessionsPage(): ReactElement {
  const { query, change } = useSessionsQuery();
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const sessions = usePagedSessions(query, seen.first, seen.last);
  const search = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const onSeen = useCallback((first: number, last: number) => setSeen({ first, last }), []);
  useSessionsKeys(search, grid);

  return (
    <>
      <PageHeader
        title="Sessions"
        status={sessions.indexing && <IndexProgress indexing={sessions.indexing} />}
        actions={
          <span role="status" className="text-12 text-faint tabular-nums">
            {sessions.pending || sessions.error
              ? ""
              : formatSessionCount(sessions.total, isFiltered(query))}
          </span>
        }
        toolbar={
          <SessionsToolbar
            query={query}
            onChange={change}
            searchField={search}
            onLeaveSearch={() => grid.current?.focus()}
          />
        }
      />
      <Content {...{ query, change, sessions, grid, onSeen }} />
      {sessions.indexing && <IndexErrors trouble={sessions.indexing.trouble} />}
    </>
  );
}

function formatSessionCount(total: number, narrowed: boolean): string {
  const count = formatNumber(total);
  if (narrowed) return total === 1 ? "1 match" : `${count} matches`;
  return total === 1 ? "1 session" : `${count} sessions`;
}

interface ContentProps {
  query: SessionsQuery;
  change: (part: Partial<SessionsQuery>) => void;
  sessions: PagedSessions;
  grid: React.RefObject<HTMLDivElement | null>;
  onSeen: (first: number, last: number) => void;
}

function Content(props: ContentProps): ReactElement {
  const { query, change, sessions } = props;
  if (sessions.error) {
    return (
      <ErrorState
        title="Couldn't load the sessions"
        detail={sessions.error.code}
        onRetry={sessions.retry}
      >
        {sessions.error.message}
      </ErrorState>
    );
  }
  if (sessions.pending) return <ReadingSessions />;
  if (sessions.total > 0) return <List {...props} />;
  if (isFiltered(query)) {
    return (
      <EmptyState
        title="No matches"
        actions={
          <Button
            onClick={() => change({ ...defaultQuery, sort: query.sort, within: query.within })}
          >
            Show all
          </Button>
        }
      >
        {fullTextQuery(query) === undefined
          ? "No session matches all of these filters."
          : "No session contains all of these words. Use quotes to search for a phrase, and * at the end of a word to match any ending."}
      </EmptyState>
    );
  }
  if (sessions.indexing?.listing) return <ReadingSessions />;
  return (
    <EmptyState
      title="No sessions found"
      actions={
        <>
          <ButtonLink to={paths.newBlueprintFrom("agent")}>Give an agent a task</ButtonLink>
          <ButtonLink to={paths.doctor}>Check agents</ButtonLink>
        </>
      }
    >
      Sessions of Claude Code, Codex, Gemini, opencode and pi on this machine appear here, including
      those started outside Baton.
    </EmptyState>
  );
}

function ReadingSessions(): ReactElement {
  return (
    <div role="status" aria-label="Loading sessions" className="pt-7">
      {[320, 210, 280, 190, 240].map((width) => (
        <div key={width} className="flex h-7 items-center border-b px-11">
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  );
}

/** The width reserved for the list beside the preview, in units. */
const listRoom = 700;

/**
 * The list and its dialogs. In a wide window, a preview of the current session is shown beside it.
 */
function List({ query, change, sessions, grid, onSeen }: ContentProps): ReactElement {
  const navigate = useNavigate();
  const notes = useOperation("enrichments_get", {});
  const about = useOperation("about", {});
  const note = useEnrichmentChange();
  const [asked, ask] = useState<{ what: "tags" | "note"; id: string; title: string }>();
  const { search } = useLocation();
  const initialLine = useRef(lastOpenedRow.in(search));
  const isWide = useIsWideWindow();
  const [at, moveTo] = useState(initialLine.current);
  const resting = useDebouncedSession(sessions, isWide ? Math.max(0, at) : -1);
  const unit = useTextScale();

  const open = useCallback(
    (line: number) => {
      const session = sessions.at(line);
      if (!session) return;
      lastOpenedRow.keep(search, line);
      void navigate(excerptPath(session.row.id, session.excerpts[0]));
    },
    [sessions, navigate, search],
  );
  const actions = useMemo(() => {
    const askFor = (what: "tags" | "note") => (line: number) => {
      const row = sessions.at(line)?.row;
      if (row && notes.data) ask({ what, id: row.id, title: sessionTitle(row) });
    };
    const star = (line: number) => {
      const id = sessions.at(line)?.row.id;
      if (id === undefined || !notes.data) return;
      void note("session", id, { starred: !getEnrichment(notes.data, "session", id).starred });
    };
    return {
      sessions_star: star,
      sessions_tags: askFor("tags"),
      sessions_note: askFor("note"),
    };
  }, [sessions, notes.data, note]);
  const dialog = { onClose: () => ask(undefined), focusAfter: () => grid.current };

  return (
    <>
      <SplitPanels
        id="sessions.beside"
        orientation="horizontal"
        label="Resize session"
        mainMinimum={560}
        sideMinimum={400}
        sideSize={Math.min(1_100, window.innerWidth / unit - listRoom)}
        main={
          <SessionsTable
            {...{ grid, sessions, actions, onSeen }}
            notes={notes.data}
            home={homeFromDataDirectory(about.data?.dataDirectory)}
            sort={query.sort}
            onSort={fullTextQuery(query) === undefined ? (sort) => change({ sort }) : undefined}
            first={isWide ? Math.max(0, initialLine.current) : initialLine.current}
            onOpen={open}
            // A click on the title would focus the link, but the keys work in the list.
            onPress={isWide ? () => grid.current?.focus({ preventScroll: true }) : open}
            onMove={moveTo}
          />
        }
        side={isWide && <SessionPreview session={resting} />}
      />
      {asked?.what === "tags" && <TagsDialog {...asked} {...dialog} />}
      {asked?.what === "note" && (
        <NoteDialog subject="session" hint={noteHint} {...asked} {...dialog} />
      )}
    </>
  );
}

/** Selects elements that handle arrow keys or letters themselves. */
const usesArrows =
  "input, textarea, [contenteditable], [role*=dialog], [role=grid], [role*=menu], [role=combobox], [role=radio]";

/**
 * Handles the keys that focus the search or the list, unless the focused element uses them itself.
 */
function useSessionsKeys(
  search: React.RefObject<HTMLInputElement | null>,
  grid: React.RefObject<HTMLDivElement | null>,
): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const target = event.target as HTMLElement | null;
      const elsewhere = target?.closest("input, textarea, [contenteditable], [role*=dialog]");
      const id = localCommandFor("sessions", event);
      if (id === "sessions_search" && !elsewhere) {
        event.preventDefault();
        search.current?.select();
        search.current?.focus();
      } else if (
        !target?.closest(usesArrows) &&
        (id === "sessions_next" || id === "sessions_previous")
      ) {
        event.preventDefault();
        grid.current?.focus();
      }
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [search, grid]);
}
