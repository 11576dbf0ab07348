import { PanelBottom, PanelRight, Redo2, Undo2 } from "lucide-react";
import type { ReactElement } from "react";
import { Link } from "react-router";
import { runCommand } from "@/commands/commandRegistry";
import { ToolButton } from "@/commands/ToolButton";
import { Pill } from "@/components/Pill";
import { SegmentedControl } from "@/components/SegmentedControl";
import { useWindowSizeMatch } from "@/components/useWindowSizeMatch";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import type { PlanViewName } from "@/plan/page";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { BlueprintMenu } from "./BlueprintMenu";
import { undoStepLabel } from "./commands/edit";
import { FindField } from "./FindField";
import { ParentLink } from "./ParentLink";
import { PlanTitle } from "./PlanTitle";
import { ReviewPill } from "./ReviewPill";
import { RunBar } from "./RunBar";
import { RunPicker } from "./RunPicker";
import { RunProgress } from "./RunProgress";
import { RunToolbar } from "./RunToolbar";
import { SaveStatus } from "./SaveStatus";

const views: { id: PlanViewName; label: string }[] = [
  { id: "graph", label: "Graph" },
  { id: "list", label: "List" },
  { id: "times", label: "Times" },
];

/** Below this width, the header would wrap into too many rows and leave no room for the graph. */
const isSmall = (width: number) => width < 760;

/**
 * Title, review state and run buttons in the first row; views, search and the shown run in the
 * second. In a small window, or with large text, the less common controls move into a menu.
 */
export function BlueprintHeader(): ReactElement {
  const { page } = useBlueprint();
  const title = useEditor((state) => state.plan.title);
  const version = useEditor((state) => state.view.version);
  const view = usePage((state) => state.view);
  const small = useWindowSizeMatch(isSmall);

  return (
    <PageHeader
      title={title || "Untitled"}
      heading={<PlanTitle />}
      status={
        <>
          <ParentLink />
          {small ? <RunProgress short /> : <PlanStatus version={version} />}
        </>
      }
      actions={<RunBar />}
      toolbar={
        <>
          <SegmentedControl
            label="View"
            options={views}
            value={view}
            onChange={(next) => page.setState({ view: next })}
          />
          {!small && <UndoRedo />}
          <FindField small={small} />
          <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-x-2">
            {!small && <RunProgress />}
            <RunToolbar small={small} />
            <RunPicker />
            <span className="flex items-center">
              <BlueprintMenu whole={small} />
              {!small && <PanelButtons />}
            </span>
          </div>
        </>
      }
    />
  );
}

/** Review state, version and save state, next to the title. */
function PlanStatus({ version }: { version: number }): ReactElement {
  return (
    <>
      <ReviewPill />
      <VersionLink version={version} />
      <SaveStatus />
    </>
  );
}

/** The version, linked to the list of all versions. */
function VersionLink({ version }: { version: number }): ReactElement {
  const plan = useEditor((state) => state.plan.id);
  return (
    <Link
      to={paths.versions(plan)}
      title="Versions"
      aria-label={`Version ${version}, show versions`}
      className="rounded-full hover:opacity-80"
    >
      <Pill>v{version}</Pill>
    </Link>
  );
}

function UndoRedo(): ReactElement {
  const undo = useEditor((state) => state.undoLabel);
  const redo = useEditor((state) => state.redoLabel);
  return (
    <div className="flex">
      <ToolButton
        command="undo"
        label={undo ? undoStepLabel("Undo", undo) : "Nothing to undo"}
        icon={<Undo2 />}
        disabled={undo === undefined}
        onClick={() => runCommand("undo")}
      />
      <ToolButton
        command="redo"
        label={redo ? undoStepLabel("Redo", redo) : "Nothing to redo"}
        icon={<Redo2 />}
        disabled={redo === undefined}
        onClick={() => runCommand("redo")}
      />
    </div>
  );
}

function PanelButtons(): ReactElement {
  const { page } = useBlueprint();
  const side = usePage((state) => state.sideOpen);
  const drawer = usePage((state) => state.drawerOpen);
  return (
    <div className="flex">
      <ToolButton
        command="toggle_drawer"
        label="Timeline and history"
        pressed={drawer}
        icon={<PanelBottom />}
        onClick={() => page.setState({ drawerOpen: !drawer })}
      />
      <ToolButton
        command="toggle_inspector"
        label="Inspector"
        pressed={side}
        icon={<PanelRight />}
        onClick={() => page.setState({ sideOpen: !side })}
      />
    </div>
  );
}
