import type { ReactElement } from "react";
import { useBlueprint } from "@/plan/blueprintContext";
import { useInspectorTab } from "@/plan/inspectorTab";

/**
 * What a node used. Leads to its attempts, which list what each of them used. Not a tab stop, because
 * the inspector of a selected node has them too.
 */
export function CardUsage({
  id,
  title,
  used,
}: {
  id: string;
  title: string;
  /** "$0.04" or "12.4k tokens". */
  used: string;
}): ReactElement {
  const { editor, page } = useBlueprint();
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${used}, show the usage of ${title} by attempt`}
      title="Show usage by attempt"
      onDoubleClick={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation();
        editor.getState().select([id]);
        page.setState({ sideOpen: true });
        useInspectorTab.getState().open("attempts");
      }}
      className="nodrag ml-auto whitespace-nowrap rounded-small tabular-nums hover:text-fg hover:underline"
    >
      {used}
    </button>
  );
}
