import { CircleAlert, LifeBuoy } from "lucide-react";
import type { ReactElement } from "react";
import type { HandlerRun, HandlerView } from "@/api/bindings";
import { useRun } from "@/api/useRun";
import { Banner } from "@/components/Banner";
import { ButtonLink } from "@/components/ButtonLink";
import { runStateLabel } from "@/components/RunStateLabel";
import { summarizeRunStatus } from "@/components/runStatus";
import { toSentence } from "@/components/toSentence";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";

/** What became of the error handler of the shown run. Renders nothing for runs without one. */
export function ErrorHandlerBanner(): ReactElement | null {
  const handler = useEditor(({ run }) => (run?.past ? undefined : run?.handler));
  return handler === undefined ? null : <HandlerBanner handler={handler} />;
}

function HandlerBanner({ handler }: { handler: HandlerView }): ReactElement {
  switch (handler.kind) {
    case "due":
      return (
        <Banner tone="calm" icon={<LifeBuoy />}>
          {`Error handler: ${displayTitle(handler.name)}, starting`}
        </Banner>
      );
    case "started":
      return handler.handler ? (
        <StartedBanner run={handler.handler} />
      ) : (
        <Banner tone="calm" icon={<LifeBuoy />}>
          Error handler: its run was deleted.
        </Banner>
      );
    case "not_started":
      return (
        <Banner tone="warning" icon={<CircleAlert />}>
          {`${toSentence(handler.message)} ${toSentence(handler.fix)}`}
        </Banner>
      );
  }
}

function StartedBanner({ run }: { run: HandlerRun }): ReactElement {
  // The failed run doesn't change with its handler.
  const { data } = useRun(run.run);
  const state = data ? summarizeRunStatus(data.summary).state : run.state.state;
  return (
    <Banner
      tone="calm"
      icon={<LifeBuoy />}
      actions={
        <ButtonLink size="small" to={paths.blueprintAt(run.plan, { run: run.run })}>
          Open error handler
        </ButtonLink>
      }
    >
      {`Error handler: #${run.number} of ${displayTitle(run.title)}, ${runStateLabel(state).toLowerCase()}`}
    </Banner>
  );
}
