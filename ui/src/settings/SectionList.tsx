import type { ReactElement } from "react";
import { Link } from "react-router";
import { paths } from "@/shell/paths";
import { type SettingsSectionInfo, settingsSectionGroups } from "./settingsSections";

export interface SectionListProps {
  /** The sections on the page. */
  parts: readonly SettingsSectionInfo[];
  /** The title of the section in view. */
  current: string | undefined;
}

/** Links to the sections of the settings page. Hidden in narrow windows. */
export function SectionList({ parts, current }: SectionListProps): ReactElement {
  return (
    <nav
      aria-label="Sections"
      className="sticky top-0 hidden w-44 shrink-0 flex-col gap-4 self-start py-6 @min-[58rem]:flex"
    >
      {settingsSectionGroups.map((group) => (
        <div key={group.title}>
          <p className="px-2 pb-1 text-11 text-faint">{group.title}</p>
          {group.parts
            .filter((part) => parts.includes(part))
            .map(({ title }) => (
              <Link
                key={title}
                to={paths.settingsSection(title)}
                replace
                aria-current={title === current ? "location" : undefined}
                className="flex h-7 items-center rounded-control px-2 text-muted transition-colors hover:bg-hover hover:text-fg active:bg-active aria-[current=location]:bg-active aria-[current=location]:font-medium aria-[current=location]:text-fg"
              >
                {title}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  );
}
