import { Handle, type NodeProps } from "@xyflow/react";
import { ArrowUpRight, CircleAlert, RotateCw } from "lucide-react";
import { memo, type ReactElement, type ReactNode, useState } from "react";
import type { TriggerRule } from "@/api/bindings";
import { classes } from "@/components/classes";
import { Duration } from "@/components/Duration";
import { formatElapsed } from "@/components/duration";
import {
  type NodeStateAppearance,
  type NodeStateName,
  nodeStateHue,
  nodeStateLabel,
  stateFill,
  stateText,
} from "@/components/nodeState";
import { StateIcon } from "@/components/StateIcon";
import { TitleInput } from "@/components/TitleInput";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { targetAnchor } from "@/plan/edgeAnchors";
import { useEditor } from "@/plan/editor";
import { cardSize } from "@/plan/geometry";
import { isCodeLine } from "@/plan/kindSummary";
import { ruleBadges, ruleLabels } from "@/plan/startRule";
import { useInactivityText } from "@/plan/useInactivityText";
import { CardActions } from "./CardActions";
import { CardBadges } from "./CardBadges";
import { CardUsage } from "./CardUsage";
import { KindTile } from "./KindTile";
import { NestedRequests } from "./NestedRequests";
import { SourceHandles } from "./SourceHandles";
import type { CardData, CardNode } from "./toFlow";
import { useArrivals } from "./useArrivals";

/** A node on the canvas. Its level of detail follows the `data-lod` attribute of the canvas. */
export const NodeCard = memo(function NodeCard({ id, data, selected }: NodeProps<CardNode>) {
  const { node, title, appearance, refused, problem } = data;
  const [pointed, setPointed] = useState(false);
  const answering = usePage((state) => state.answering === id);
  // Several selected nodes share one toolbar.
  const isOneOfSeveral = useEditor(({ selection }) => selection.size > 1 && selection.has(id));
  const hasActions = answering || ((pointed || selected) && !isOneOfSeveral);
  return (
    <div
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      title={[title, data.reason, problem].filter(Boolean).join("\n")}
      data-state={appearance?.state}
      className={classes(
        "relative flex h-16 w-[220px] items-center gap-2 rounded-card border bg-surface py-1.5 pr-2.5 pl-3 text-left outline-accent outline-offset-0",
        appearance?.stale
          ? "border-line-strong border-dashed"
          : "border-line-strong/40 hover:border-line-strong",
        selected && "outline-2",
        data.critical && "card-critical",
        refused && "opacity-35",
        data.found && "card-found",
        node.disabled && "card-disabled",
        "group-data-[lod=title]/canvas:pl-4.5",
        data.opens && "card-stack",
        appearance && titleTint[appearance.state],
      )}
    >
      <StateEdge data={data} />
      <UpperBorder data={data} />
      <Handle
        type="target"
        position={targetAnchor(cardSize, data.reading).side}
        className="card-handle card-handle-target"
      />
      <span className="group-data-[lod=title]/canvas:hidden">
        <KindTile kind={node.kind.kind} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-px">
        {data.renaming ? <CardTitleInput id={id} title={node.title} /> : <CardTitle data={data} />}
        <CardLine id={id} data={data} />
      </div>
      <Marks id={id} data={data} />
      {data.opens && <Open id={id} title={title} />}
      {data.runningSince !== undefined && data.usual !== undefined && (
        <UsualProgress since={data.runningSince} usual={data.usual} />
      )}
      <BlockOfState data={data} />
      <StateCorner data={data} />
      <SourceHandles data={data} />
      {hasActions && !data.renaming && <CardActions id={id} />}
    </div>
  );
});

/** Badges on the upper border, which the toolbar on the lower border never covers. */
function UpperBorder({ data }: { data: CardData }): ReactElement {
  return (
    <div className="pointer-events-none absolute inset-x-3 -top-2 flex items-center gap-1 *:pointer-events-auto group-data-[lod=block]/canvas:hidden group-data-[lod=title]/canvas:hidden">
      {data.startRule && <StartRule rule={data.startRule} />}
      {data.opens && <NestedRequests node={data.node} />}
      <CardBadges data={data} />
    </div>
  );
}

/** The trigger rule, if the node sets one. */
function StartRule({ rule }: { rule: TriggerRule }): ReactElement {
  return (
    <span
      title={`Starts when: ${ruleLabels[rule].toLowerCase()}`}
      className="shrink-0 rounded-small border bg-surface px-1 text-11 text-muted leading-[14px]"
    >
      {ruleBadges[rule]}
    </span>
  );
}

/** Opens the blueprint inside. Not a tab stop, because the command has a shortcut. */
function Open({ id, title }: { id: string; title: string }): ReactElement {
  const { open } = useBlueprint();
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`Open blueprint inside ${title}`}
      title="Open blueprint inside (double-click, or O)"
      onClick={(event) => {
        event.stopPropagation();
        void open(id);
      }}
      className="nodrag absolute right-1.5 bottom-1 flex size-5 items-center justify-center rounded-small text-faint hover:bg-hover hover:text-fg active:bg-active group-data-[lod=title]/canvas:hidden"
    >
      <ArrowUpRight aria-hidden="true" className="size-3.5" />
    </button>
  );
}

/** The background shows the state when only the title is visible. */
const titleTint: Record<NodeStateName, string> = {
  pending: "",
  blocked: "group-data-[lod=title]/canvas:bg-state-blocked-tint",
  running: "group-data-[lod=title]/canvas:bg-state-running-tint",
  waiting: "group-data-[lod=title]/canvas:bg-state-waiting-tint",
  done: "group-data-[lod=title]/canvas:bg-state-done-tint",
  failed: "group-data-[lod=title]/canvas:bg-state-failed-tint",
  interrupted: "group-data-[lod=title]/canvas:bg-state-interrupted-tint",
  skipped: "group-data-[lod=title]/canvas:bg-state-skipped-tint",
};

function CardTitle({ data }: { data: CardData }): ReactElement {
  return (
    <div
      dir="auto"
      className="card-title line-clamp-2 break-words font-medium text-13 leading-4 group-data-[lod=title]/canvas:text-24 group-data-[lod=title]/canvas:leading-[26px]"
    >
      {data.title}
    </div>
  );
}

function CardTitleInput({ id, title }: { id: string; title: string }): ReactElement {
  const { edit } = useBlueprint();
  return (
    <TitleInput
      label="Node title"
      title={title}
      onDone={(next) => edit.rename(id, next)}
      className="-ml-1 group-data-[lod=title]/canvas:text-24"
    />
  );
}

/**
 * Who does the node's work and how long it takes; or what it waits for, or that it has been silent
 * for too long.
 */
function CardLine({ id, data }: { id: string; data: CardData }): ReactElement {
  const { appearance, reason, activity, actor, runningSince, worked, times, node, used } = data;
  const quiet = useInactivityText(data.quietSince, data.quietAfter);
  const words = quiet ?? activity ?? reason ?? (node.disabled ? `Disabled, ${actor}` : actor);
  const isCode = isCodeLine(node) && words === actor;
  return (
    <div className="flex min-w-0 items-baseline gap-1.5 text-11 text-faint leading-[14px] group-data-[lod=title]/canvas:hidden">
      <span
        dir={isCode ? "ltr" : "auto"}
        className={classes(
          "truncate",
          isCode && "font-mono",
          reason !== undefined && appearance && stateText[nodeStateHue(appearance)],
          quiet !== undefined && "font-medium text-state-waiting tabular-nums",
        )}
      >
        {words}
      </span>
      {used && <CardUsage id={id} title={data.title} used={used} />}
      <span title={times} className={used ? "" : "ml-auto"}>
        {runningSince !== undefined ? (
          <Duration since={runningSince} />
        ) : (
          worked !== undefined && <Duration milliseconds={worked} />
        )}
      </span>
    </div>
  );
}

/**
 * Progress relative to the usual duration. A CSS animation moves it, so the card doesn't rerender
 * every second.
 */
function UsualProgress({ since, usual }: { since: number; usual: number }): ReactElement {
  return (
    <span
      title={`Usually takes ${formatElapsed(usual)}`}
      style={{ animationDuration: `${usual}ms`, animationDelay: `${since - Date.now()}ms` }}
      className="card-progress group-data-[lod=block]/canvas:hidden"
    />
  );
}

/** State, attempts and problems, at the right end. */
function Marks({
  id,
  data: { appearance, attempt, attempts, problem, title },
}: {
  id: string;
  data: CardData;
}): ReactElement {
  return (
    <div className="flex shrink-0 flex-col items-center gap-0.5 group-data-[lod=title]/canvas:hidden">
      {problem && <CircleAlert aria-hidden="true" className="size-4 text-danger-fg" />}
      {appearance && (
        <StateMark appearance={appearance}>
          <StateButton {...{ id, title, appearance }} />
        </StateMark>
      )}
      {attempt > 1 && (
        <span
          title={`Attempt ${attempt}${attempts === undefined ? "" : ` of ${attempts}`}`}
          className="flex items-center text-11 text-faint tabular-nums leading-3"
        >
          <RotateCw aria-hidden="true" className="mr-0.5 size-2.5" />
          {attempts === undefined ? attempt : `${attempt}/${attempts}`}
        </span>
      )}
    </div>
  );
}

/**
 * The state icon. If a person is needed, it leads to the question, or to the output of what failed.
 * Not a tab stop, because the commands for both have shortcuts.
 */
function StateButton({
  id,
  title,
  appearance,
}: {
  id: string;
  title: string;
  appearance: NodeStateAppearance;
}): ReactElement {
  const { editor, page } = useBlueprint();
  const icon = <StateIcon {...appearance} decorative />;
  const asks = appearance.waitingFor === "person";
  const failed = nodeStateHue(appearance) === "failed" || appearance.state === "interrupted";
  if (!asks && !failed) return icon;
  const where = asks ? "Show the question" : "Show the output";
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${where} of ${title}`}
      title={`${nodeStateLabel(appearance)}. ${where}`}
      onDoubleClick={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        editor.getState().select([id]);
        page.setState(asks ? { answering: id } : { drawerOpen: true, drawerTab: "timeline" });
      }}
      className="nodrag flex rounded-small hover:opacity-70"
    >
      {icon}
    </button>
  );
}

/**
 * The state icon when only the title is visible: on the corner, so that it takes no space from the
 * title.
 */
function StateCorner({ data: { appearance } }: { data: CardData }): ReactElement | null {
  if (!appearance || appearance.state === "pending") return null;
  return (
    <span className="absolute -top-3.5 -right-3.5 hidden rounded-full bg-surface p-0.5 group-data-[lod=title]/canvas:flex">
      <StateMark appearance={appearance}>
        <StateIcon {...appearance} size="large" decorative />
      </StateMark>
    </span>
  );
}

/** The mark of a node's state. When the node ends or needs a person, a ring goes out from it once. */
function StateMark({
  appearance,
  children,
}: {
  appearance: NodeStateAppearance;
  children: ReactNode;
}): ReactElement {
  const arrivals = useArrivals(appearance.state);
  return (
    <span
      key={arrivals}
      className={classes("relative flex", arrivals > 0 && stateText[nodeStateHue(appearance)])}
    >
      {children}
      {arrivals > 0 && <span aria-hidden="true" className="state-ring" />}
    </span>
  );
}

function StateEdge({ data: { appearance } }: { data: CardData }): ReactElement {
  return (
    <span
      aria-hidden="true"
      className={classes(
        "absolute inset-y-1.5 left-1 w-[3px] forced-color-adjust-none rounded-full group-data-[lod=title]/canvas:w-2",
        appearance ? stateFill[nodeStateHue(appearance)] : "bg-line",
        appearance?.state === "pending" && "opacity-40",
      )}
    />
  );
}

/** The node as a plain block, when zoomed out. */
function BlockOfState({ data: { appearance, node } }: { data: CardData }): ReactElement {
  const untouched = !appearance || appearance.state === "pending";
  return (
    <span
      aria-hidden="true"
      className={classes(
        "absolute inset-0 hidden rounded-[9px] group-data-[lod=block]/canvas:block",
        untouched
          ? node.disabled
            ? "block-disabled"
            : "block-untouched"
          : stateFill[nodeStateHue(appearance)],
      )}
    />
  );
}
