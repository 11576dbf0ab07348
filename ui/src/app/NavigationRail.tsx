import {
  ChartColumn,
  CircleQuestionMark,
  History,
  Inbox,
  MessagesSquare,
  Settings,
  Stethoscope,
  Workflow,
} from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { NavLink, useLocation } from "react-router";
import type { CommandId } from "@/commands/catalog";
import { useKeysFor } from "@/commands/keyBindings";
import { Tooltip } from "@/components/Tooltip";
import { useWaitingCount } from "@/inbox/useWaitingCount";
import { helpTopicForPath } from "@/shell/helpTopicForPath";
import { paths } from "@/shell/paths";
import { BatonMark } from "./BatonMark";
import { ThemeMenu } from "./ThemeMenu";

/** The links to the app's pages, at the left edge of the window. */
export function NavigationRail(): ReactElement {
  return (
    <nav
      aria-label="Pages"
      className="flex w-12 shrink-0 flex-col items-center gap-1 border-r bg-canvas py-2.5"
    >
      <div className="mb-2.5">
        <BatonMark />
      </div>
      <RailLink
        to={paths.blueprints}
        command="go_blueprints"
        label="Blueprints"
        icon={<Workflow />}
      />
      <RailLink to={paths.runs} command="go_runs" label="Runs" icon={<History />} />
      <RailLink
        to={paths.sessions}
        command="go_sessions"
        label="Sessions"
        icon={<MessagesSquare />}
      />
      <InboxLink />
      <RailLink
        to={paths.statistics}
        command="go_statistics"
        label="Statistics"
        icon={<ChartColumn />}
      />
      <div className="mt-auto" />
      <ThemeMenu />
      <HelpLink />
      <RailLink to={paths.doctor} command="go_doctor" label="Doctor" icon={<Stethoscope />} />
      <RailLink to={paths.settings} command="go_settings" label="Settings" icon={<Settings />} />
    </nav>
  );
}

/** Opens the help topic of the page that is shown. */
function HelpLink(): ReactElement {
  const { pathname } = useLocation();
  return (
    <RailLink
      to={paths.helpTopic(helpTopicForPath(pathname))}
      command="help"
      label="Help"
      icon={<CircleQuestionMark />}
    />
  );
}

/** The link to the Inbox, with the number of waiting items. */
function InboxLink(): ReactElement {
  const count = useWaitingCount();
  return (
    <RailLink
      to={paths.inbox}
      command="go_inbox"
      label={count === 0 ? "Inbox" : `Inbox, ${count} waiting`}
      icon={
        <>
          <Inbox />
          {count > 0 && (
            <span
              aria-hidden="true"
              className="absolute -top-2 -right-1.5 flex h-3.5 min-w-3.5 items-center justify-center rounded-full bg-accent px-1 font-semibold text-11 text-on-accent tabular-nums leading-none"
            >
              {count > 99 ? "99+" : count}
            </span>
          )}
        </>
      }
    />
  );
}

interface RailLinkProps {
  to: string;
  /** The command that opens the same page; its shortcut is shown in the tooltip. */
  command: CommandId;
  label: string;
  icon: ReactNode;
}

function RailLink({ to, command, label, icon }: RailLinkProps): ReactElement {
  return (
    <Tooltip content={label} keys={useKeysFor(command)} side="right">
      <NavLink
        to={to}
        aria-label={label}
        className="relative flex size-8 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-fg active:bg-active aria-[current=page]:bg-active aria-[current=page]:text-fg [&>svg]:size-4.5 [&>svg]:stroke-[1.75]"
      >
        {icon}
      </NavLink>
    </Tooltip>
  );
}
