import { Settings, Workflow } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { NavLink } from "react-router";
import { Tooltip } from "@/components/Tooltip";
import { BatonMark } from "./BatonMark";
import { paths } from "./paths";
import { ThemeMenu } from "./ThemeMenu";

/** The pages of the app, at the left edge of every page. */
export function Rail(): ReactElement {
  return (
    <nav
      aria-label="Pages"
      className="flex w-12 shrink-0 flex-col items-center gap-1 border-r bg-canvas py-2.5"
    >
      <div className="mb-2.5">
        <BatonMark />
      </div>
      <RailLink to={paths.blueprints} label="Blueprints" icon={<Workflow />} />
      <div className="mt-auto" />
      <ThemeMenu />
      <RailLink to={paths.settings} label="Settings" icon={<Settings />} />
    </nav>
  );
}

function RailLink({ to, label, icon }: { to: string; label: string; icon: ReactNode }) {
  return (
    <Tooltip content={label} side="right">
      <NavLink
        to={to}
        aria-label={label}
        className="relative flex size-8 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-fg aria-[current=page]:bg-active aria-[current=page]:text-fg [&>svg]:size-[18px] [&>svg]:stroke-[1.75]"
      >
        {icon}
      </NavLink>
    </Tooltip>
  );
}
