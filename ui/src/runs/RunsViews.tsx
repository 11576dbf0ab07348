import { ChevronDown } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import { Button } from "@/components/Button";
import { FilterChip } from "@/components/FilterChip";
import { Menu, type MenuEntry } from "@/components/Menu";
import { setAppStateValue, useAppState } from "@/shell/appState";
import { parseRunsQuery, type RunsQuery } from "./runsQuery";
import { ViewNameDialog } from "./ViewNameDialog";
import {
  addView,
  builtInViews,
  deleteView,
  parseViews,
  type RunsView,
  renameView,
  saveProblem,
  viewSearch,
  viewsKey,
} from "./views";

/** The built-in and the saved views, and the menu to save, rename and delete them. */
export function RunsViews({
  query,
  onShow,
}: {
  query: RunsQuery;
  onShow: (query: RunsQuery) => void;
}): ReactElement {
  const stored = useAppState(({ ui }) => ui[viewsKey]);
  const saved = useMemo(() => parseViews(stored), [stored]);
  const [naming, setNaming] = useState<"save" | "rename">();
  const search = viewSearch(query);
  const current = saved.find((view) => view.search === search);
  const isShown = current !== undefined || builtInViews.some((view) => view.search === search);
  const store = (views: RunsView[]) => setAppStateValue(viewsKey, views);

  function onName(name: string) {
    if (naming === "save") store(addView(saved, { name, search }));
    else if (current) store(renameView(saved, current.name, name));
    setNaming(undefined);
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a layout of its own */}
      <div role="group" aria-label="Views" className="flex w-full flex-wrap items-center gap-1.5">
        {[...builtInViews, ...saved].map((view) => (
          <FilterChip
            key={view.name}
            pressed={view.search === search}
            onPress={() => onShow(parseRunsQuery(new URLSearchParams(view.search)))}
          >
            <span dir="auto" className="truncate">
              {view.name}
            </span>
          </FilterChip>
        ))}
        <Menu
          entries={menuEntries({
            current,
            refusal: isShown ? "This view exists" : saveProblem(saved),
            onName: setNaming,
            onDelete: (view) => store(deleteView(saved, view.name)),
          })}
        >
          <Button size="small" kind="ghost">
            Views
            <ChevronDown aria-hidden="true" className="size-3!" />
          </Button>
        </Menu>
      </div>
      {naming && (
        <ViewNameDialog
          title={naming === "save" ? "Save view" : "Rename view"}
          initial={naming === "rename" ? (current?.name ?? "") : ""}
          others={naming === "save" ? saved : saved.filter((view) => view !== current)}
          onName={onName}
          onClose={() => setNaming(undefined)}
        />
      )}
    </>
  );
}

function menuEntries(options: {
  current: RunsView | undefined;
  /** Why the filters can't be saved as a view. */
  refusal: string | undefined;
  onName: (naming: "save" | "rename") => void;
  onDelete: (view: RunsView) => void;
}): MenuEntry[] {
  const { current, refusal, onName, onDelete } = options;
  const save: MenuEntry = {
    kind: "act",
    label: "Save these filters as a view…",
    reason: refusal,
    onSelect: () => onName("save"),
  };
  if (!current) return [save];
  return [
    save,
    { kind: "line" },
    { kind: "act", label: `Rename “${current.name}”…`, onSelect: () => onName("rename") },
    {
      kind: "act",
      label: `Delete “${current.name}”`,
      danger: true,
      onSelect: () => onDelete(current),
    },
  ];
}
