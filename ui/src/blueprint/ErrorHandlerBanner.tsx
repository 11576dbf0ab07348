import { CircleAlert, LifeBuoy } from "lucide-react";
import type { ReactElement } from "react";
import type { HandlerRun, HandlerView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { useRun } from "@/api/useRun";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { ButtonLink } from "@/components/ButtonLink";
import { runStateLabel } from "@/components/RunStateLabel";
import { summarizeRunStatus } from "@/components/runStatus";
import { toSentence } from "@/components/toSentence";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";

type RefusedHandler = Extract<HandlerView, { kind: "not_started" }>;

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
      return <RefusedBanner handler={handler} />;
  }
}

/**
 * Leads to where the cause can be fixed: the blueprint of the handler or, if there is none, the
 * setting that names it. Then the handler can be started for this failure.
 */
function RefusedBanner({ handler }: { handler: RefusedHandler }): ReactElement {
  const run = useEditor((state) => state.runId);
  const start = useMutationOperation("run_start_handler");
  const reason = `${toSentence(handler.message)} ${toSentence(handler.fix)}`;
  return (
    <Banner
      tone="warning"
      icon={<CircleAlert />}
      actions={
        handler.plan === undefined ? (
          <ChooseButton />
        ) : (
          <>
            <ButtonLink size="small" to={paths.blueprint(handler.plan)}>
              Open error handler
            </ButtonLink>
            <Button
              size="small"
              busy={start.isPending}
              title="Starts it for this failure, once you have fixed the cause"
              onClick={() => run !== undefined && start.mutate({ run })}
            >
              Start error handler
            </Button>
          </>
        )
      }
    >
      {start.error ? `Still not started. ${start.error.message}` : reason}
    </Banner>
  );
}

/** Shows the setting that names the error handler. */
function ChooseButton(): ReactElement {
  const { editor, page } = useBlueprint();
  return (
    <Button
      size="small"
      onClick={() => {
        editor.getState().select([]);
        page.setState({ sideOpen: true, choosingErrorHandler: true });
      }}
    >
      Choose error handler
    </Button>
  );
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
