import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";
import type { AttemptView, SessionView } from "@/api/bindings";
import { formatCommandLine } from "@/attempt/attemptFormat";
import { isUsageKnown, UsageLine } from "@/attempt/UsageLine";
import { CopyButton } from "@/components/CopyButton";
import { formatBytes } from "@/components/formatBytes";
import { RelativeTime } from "@/components/RelativeTime";
import { toSentence } from "@/components/toSentence";
import { WorkedTime } from "@/components/WorkedTime";
import { waitedText } from "@/components/workTime";
import { paths } from "@/shell/paths";

/** Agent, command, directory, time, outcome and usage of a session. */
export function SessionFacts({
  session,
  attempt,
}: {
  session: SessionView;
  attempt: AttemptView | undefined;
}): ReactElement {
  const command = formatCommandLine(session.argv);
  return (
    <dl className="grid max-h-[36vh] min-h-8 overflow-auto grid-cols-[--spacing(18)_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 border-b px-4 py-2 text-12">
      {session.agent !== null && session.reason !== undefined && (
        <Fact name="Agent">
          <span className="select-text break-words">
            {session.agent}, {session.reason}
          </span>
        </Fact>
      )}
      <Fact name="Command">
        <span className="flex min-w-0 items-center gap-1">
          <code title={command} className="min-w-0 select-text truncate">
            {command}
          </code>
          <CopyButton text={command} label="Copy command" />
        </span>
      </Fact>
      <Fact name="Directory">
        <code title={session.cwd} className="block select-text truncate">
          {session.cwd}
        </code>
      </Fact>
      <Fact name="Time">
        <SessionTime session={session} />
      </Fact>
      {attempt?.outcome && (
        <Fact name="Outcome">
          <span className="select-text break-words">{toSentence(attempt.sentence)}</span>
        </Fact>
      )}
      {session.transcript !== null && (
        <Fact name="Transcript">
          <Link to={paths.session(session.transcript)} className="text-accent-fg hover:underline">
            Agent's transcript
          </Link>
        </Fact>
      )}
      <Fact name="Usage">
        {isUsageKnown(session.usage) ? (
          <UsageLine usage={session.usage} />
        ) : (
          <span className="text-muted">
            {formatBytes(session.stdoutBytes)} of output, {formatBytes(session.stderrBytes)} of
            error output
          </span>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function SessionTime({ session }: { session: SessionView }): ReactElement {
  const { startedAt, endedAt, times } = session;
  const waited = waitedText(times);
  if (startedAt === null) return <span className="text-muted">Not started yet</span>;
  return (
    <span className="text-muted">
      Started <RelativeTime at={startedAt} />
      {endedAt === null ? ", running for " : ", worked "}
      <WorkedTime times={times} />
      {waited && ` · ${waited}`}
    </span>
  );
}
