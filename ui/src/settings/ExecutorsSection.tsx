import { type ReactElement, useEffect } from "react";
import type { ExecutorsView, ExecutorView, SilenceView, TakeoverNumbers } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { RelativeTime } from "@/components/RelativeTime";
import { Skeleton } from "@/components/Skeleton";
import { Switch } from "@/components/Switch";
import { Table, TableCell, TableHead, TableRow } from "@/components/Table";
import { formatApproximateDuration } from "@/components/time";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { describeHealth, executorKindLabels, formatSilence } from "./executorText";
import { SettingsSection } from "./SettingsSection";

/** A missing heartbeat triggers no event, so the list is polled. */
const refreshIntervalMs = 5_000;

/**
 * The processes that execute runs, their health, and whether unresponsive ones can be displaced.
 */
export function ExecutorsSection(): ReactElement {
  const { data, refetch } = useOperation("executors_list", {}, { staleTime: 0 });
  useEffect(() => {
    const timer = setInterval(() => void refetch(), refreshIntervalMs);
    return () => clearInterval(timer);
  }, [refetch]);

  return (
    <SettingsSection
      title="Executors"
      note="The windows, servers, shells and workers that execute runs. To start one without a window, run baton worker."
    >
      {data ? <Executors view={data} /> : <Skeleton width={320} />}
      <div className="rounded-card border px-3 py-2.5">
        <Takeover />
      </div>
    </SettingsSection>
  );
}

function Executors({
  view: { executors, numbers, silences },
}: {
  view: ExecutorsView;
}): ReactElement {
  return (
    <>
      <div className="overflow-x-auto rounded-card border">
        <Table aria-label="Executors" className="min-w-140">
          <thead>
            <tr>
              <TableHead className="w-28">Process</TableHead>
              <TableHead className="w-36">Kind</TableHead>
              <TableHead className="w-44">Health</TableHead>
              <TableHead>Runs</TableHead>
            </tr>
          </thead>
          <tbody>
            {executors.map((executor) => (
              <Executor key={executor.id} executor={executor} />
            ))}
          </tbody>
        </Table>
      </div>
      {silences.length > 0 && <Silences silences={silences} />}
      {numbers.takeovers > 0 && <p className="text-12 text-muted">{describeTakeover(numbers)}</p>}
    </>
  );
}

function Executor({ executor }: { executor: ExecutorView }): ReactElement {
  const titles = executor.runs.map(({ title }) => title).join(", ");
  return (
    <TableRow>
      <TableCell title={executor.host}>{executor.pid}</TableCell>
      <TableCell>{executor.here ? "This process" : executorKindLabels[executor.kind]}</TableCell>
      <TableCell>{describeHealth(executor)}</TableCell>
      <TableCell title={titles}>{titles || <span className="text-faint">None</span>}</TableCell>
    </TableRow>
  );
}

/** When executors stopped responding, and when they came back. */
function Silences({ silences }: { silences: readonly SilenceView[] }): ReactElement {
  return (
    <div className="overflow-x-auto rounded-card border">
      <Table aria-label="Unresponsive executors" className="min-w-140">
        <thead>
          <tr>
            <TableHead className="w-28">Process</TableHead>
            <TableHead className="w-36">Kind</TableHead>
            <TableHead className="w-44">Silent since</TableHead>
            <TableHead>Back</TableHead>
          </tr>
        </thead>
        <tbody>
          {silences.map((silence) => (
            <TableRow key={`${silence.executor} ${silence.since}`}>
              <TableCell title={silence.host}>{silence.pid}</TableCell>
              <TableCell>{executorKindLabels[silence.kind]}</TableCell>
              <TableCell>
                <RelativeTime at={silence.since} />
              </TableCell>
              <TableCell>{formatSilence(silence)}</TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function Takeover(): ReactElement {
  const settings = useOperation("settings_get", {}).data;
  const change = useSettingsChange();
  return (
    <Switch
      label="Take over runs of unresponsive executors"
      hint="If an executor doesn't respond for two minutes, another one takes over its run. Finished nodes and live sessions are kept. Runs of processes that exited are always taken over."
      checked={settings?.takeoverAllowed ?? true}
      disabled={settings === undefined}
      onChange={(takeoverAllowed) => void change({ takeoverAllowed })}
    />
  );
}

function describeTakeover(numbers: TakeoverNumbers): string {
  const { takeovers, displacements, inheritedWhole, meanRecoveryMs } = numbers;
  const times = takeovers === 1 ? "1 takeover" : `${takeovers} takeovers`;
  const recovery =
    meanRecoveryMs === null
      ? ""
      : `, after ${formatApproximateDuration(meanRecoveryMs)} on average`;
  return `${times} so far${recovery}. ${inheritedWhole} kept every session, ${displacements} took over from an executor that later came back.`;
}
