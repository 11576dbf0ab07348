import { type ReactElement, useMemo } from "react";
import type { PlanSummary } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { DirectoryField } from "@/components/DirectoryField";
import { homeFromDataDirectory, shortenPath } from "@/components/shortenPath";

const maxSuggestions = 4;

/** Picks the directory of a new plan, with the directories of recent plans as shortcuts. */
export function DirectoryPicker({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (path: string | null) => void;
}): ReactElement {
  const plans = useOperation("plans_list", {});
  const about = useOperation("about", {});
  const home = homeFromDataDirectory(about.data?.dataDirectory);
  const recent = useMemo(() => recentDirectories(plans.data ?? []), [plans.data]);

  return (
    <div className="flex flex-col gap-1.5">
      <DirectoryField value={value} onChange={onChange} />
      {recent.length > 0 && (
        <div className="flex flex-wrap items-center gap-1">
          <span className="mr-1 text-12 text-faint">Recent</span>
          {recent.map((path) => (
            <button
              key={path}
              type="button"
              title={path}
              aria-pressed={path === value}
              onClick={() => onChange(path)}
              className="h-5 rounded-small border px-1.5 font-mono text-11 text-muted transition-colors hover:bg-hover hover:text-fg aria-pressed:border-accent aria-pressed:text-accent-fg"
            >
              {shortenPath(path, home)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Returns the distinct directories of the latest plans. `plans` is sorted by latest change. */
function recentDirectories(plans: readonly PlanSummary[]): string[] {
  return [...new Set(plans.flatMap(({ cwd }) => cwd ?? []))].slice(0, maxSuggestions);
}
