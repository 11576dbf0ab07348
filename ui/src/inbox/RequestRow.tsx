import { Bot } from "lucide-react";
import { type ComponentProps, type ReactElement, type ReactNode, useMemo } from "react";
import { Link } from "react-router";
import type { RequestView } from "@/api/bindings";
import { useKeysFor } from "@/commands/keyBindings";
import { formatActor } from "@/components/actor";
import { RelativeTime } from "@/components/RelativeTime";
import {
  describeOperation,
  describeRequester,
  formatRequestInput,
  questionOf,
  requestKey,
} from "@/pending/agentRequest";
import { CollapsibleCode } from "@/pending/CollapsibleCode";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { QuestionActions } from "./QuestionActions";
import { RequestActions, type RequestActionsProps } from "./RequestActions";
import { SnoozeMenu } from "./SnoozeMenu";

export type RequestRowProps = ComponentProps<"article"> & RequestActionsProps;

/**
 * Shows more than of a command, because the relevant part, such as an answer, is often at the end
 * of the input.
 */
const initialSize = { lines: 14, characters: 800 };

/** An agent's call that needs a person: what it would do, who asks, and its full input. */
export function RequestRow(props: RequestRowProps): ReactElement {
  const { request, ended, onDone, onFailed, onDismiss, ...rest } = props;
  const question = questionOf(request);
  const words = question?.text ?? describeOperation(request);
  // Memoized, because the input may be a whole plan.
  const text = useMemo(() => formatRequestInput(request), [request]);
  return (
    <article
      {...rest}
      aria-label={`${words}, ${describeRequester(request)}`}
      className="group grid grid-cols-[--spacing(4)_minmax(0,1fr)_auto] gap-x-2.5 rounded-control px-3 py-2.5 hover:bg-raised in-data-beside:data-[current=true]:bg-hover in-data-beside:data-[current=true]:inset-shadow-chosen focus-visible:bg-raised focus-visible:-outline-offset-2"
    >
      <span className="flex h-5 items-center text-state-waiting">
        <Bot className="size-4" aria-hidden="true" />
      </span>
      <p className="min-w-0 select-text break-words font-medium">
        {words}{" "}
        <code className="break-all font-normal text-12 text-muted">{request.operation}</code>
      </p>
      <span className="-mt-0.5 flex h-6 items-center gap-1 text-12 text-faint leading-5!">
        <RelativeTime at={request.askedAt} />
        <SnoozeMenu id={requestKey(request)} />
      </span>
      <div className="col-start-2 col-end-4 flex min-w-0 flex-col gap-2">
        <Places request={request} />
        {question && !ended ? (
          <QuestionActions
            request={request}
            question={question}
            onDone={onDone}
            onFailed={onFailed}
          />
        ) : (
          <>
            <CollapsibleCode text={text} {...initialSize} />
            <RequestActions
              request={request}
              ended={ended}
              onDone={onDone}
              onFailed={onFailed}
              onDismiss={onDismiss}
            />
          </>
        )}
      </div>
    </article>
  );
}

const line = "flex min-w-0 flex-wrap items-baseline gap-x-1 text-12 text-muted";
/** Keeps a word and the name after it on one line; long names are truncated. */
const part = "flex min-w-0 max-w-full items-baseline gap-x-1 whitespace-nowrap";

/** Links to the requester and to the blueprint concerned. The shortcut opens the first one. */
function Places({ request }: { request: RequestView }): ReactElement {
  const { of, actor, plan, planTitle } = request;
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      {of ? (
        <p className={line}>
          <span className={part}>
            Requested by
            <RequestLink
              to={paths.blueprintAt(of.plan, { run: of.run, node: of.node })}
              title={of.title}
              first
            >
              {displayTitle(of.title)}
            </RequestLink>
          </span>
          <span className={part}>
            in
            <RequestLink to={paths.blueprint(of.plan)} title={of.planTitle}>
              {displayTitle(of.planTitle)}
            </RequestLink>
          </span>
        </p>
      ) : (
        <p dir="auto" className="min-w-0 break-words text-12 text-muted">
          Requested by {formatActor(actor)}
        </p>
      )}
      {plan !== null && (
        <p className={line}>
          <span className={part}>
            About
            {planTitle === null ? (
              <span>a deleted blueprint</span>
            ) : (
              <RequestLink to={paths.blueprint(plan)} title={planTitle} first={of === null}>
                {displayTitle(planTitle)}
              </RequestLink>
            )}
          </span>
        </p>
      )}
    </div>
  );
}

interface RequestLinkProps {
  to: string;
  title: string;
  first?: boolean;
  children: ReactNode;
}

function RequestLink({ to, title, first = false, children }: RequestLinkProps): ReactElement {
  const keys = useKeysFor("inbox_show");
  return (
    <Link
      to={to}
      dir="auto"
      title={title}
      {...(first && { "aria-keyshortcuts": keys, "data-answer": "inbox_show" })}
      className="min-w-0 truncate rounded-small underline-offset-2 hover:text-fg hover:underline focus-visible:text-fg"
    >
      {children}
    </Link>
  );
}
