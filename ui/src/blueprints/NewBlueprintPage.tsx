import { Bot, FileDown, LayoutTemplate, Sparkles, Square, Terminal } from "lucide-react";
import { type ReactElement, useCallback } from "react";
import { Link, useSearchParams } from "react-router";
import type { PickedFile } from "@/api/Backend";
import { FileDropZone } from "@/components/FileDropZone";
import { PageHeader } from "@/shell/PageHeader";
import { type BlueprintOrigin, paths } from "@/shell/paths";
import { BlankForm } from "./BlankForm";
import { GenerateForm } from "./GenerateForm";
import { ImportPane } from "./ImportPane";
import { importDropHint } from "./importPlanFiles";
import { SingleNodeForm } from "./SingleNodeForm";
import { TemplateGallery } from "./TemplateGallery";
import { useImportPlanFiles } from "./useImportPlanFiles";

interface Origin {
  id: BlueprintOrigin;
  label: string;
  note: string;
  icon: ReactElement;
  pane: ReactElement;
}

const origins: Origin[] = [
  {
    id: "blank",
    label: "Blank",
    note: "Draw the graph yourself",
    icon: <Square />,
    pane: <BlankForm />,
  },
  {
    id: "generate",
    label: "Generate",
    note: "An agent plans it from a goal",
    icon: <Sparkles />,
    pane: <GenerateForm />,
  },
  {
    id: "template",
    label: "Template",
    note: "Copy a finished graph",
    icon: <LayoutTemplate />,
    pane: <TemplateGallery />,
  },
  {
    id: "import",
    label: "Import",
    note: "Use a plan file",
    icon: <FileDown />,
    pane: <ImportPane />,
  },
  {
    id: "command",
    label: "Single command",
    note: "One node with a shell command",
    icon: <Terminal />,
    pane: <SingleNodeForm key="command" kind="command" />,
  },
  {
    id: "agent",
    label: "Single agent task",
    note: "One node with a prompt",
    icon: <Bot />,
    pane: <SingleNodeForm key="agent" kind="agent" />,
  },
];

/** Creates a blueprint: blank, from a goal, from a template, from a plan file, or with one node. */
export function NewBlueprintPage(): ReactElement {
  const [search] = useSearchParams();
  const { take } = useImportPlanFiles();
  const chosen = origins.find(({ id }) => id === search.get("from")) ?? origins[0];
  const onFiles = useCallback((files: PickedFile[]) => void take(files), [take]);

  return (
    <>
      <PageHeader
        title="New blueprint"
        heading={
          <h1 className="flex min-w-0 items-center gap-1.5 text-13">
            <Link to={paths.blueprints} className="text-muted hover:text-fg">
              Blueprints
            </Link>
            <span className="text-faint">/</span>
            <span className="font-semibold">New blueprint</span>
          </h1>
        }
      />
      <FileDropZone message={importDropHint} onFiles={onFiles} />
      <div className="@container flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 @max-[40rem]:flex-col">
          <nav
            aria-label="Start from"
            className="flex w-56 shrink-0 flex-col gap-0.5 overflow-auto border-r p-2 @max-[40rem]:w-auto @max-[40rem]:flex-row @max-[40rem]:flex-wrap @max-[40rem]:border-r-0 @max-[40rem]:border-b"
          >
            {origins.map((origin) => (
              <OriginLink key={origin.id} {...origin} current={origin === chosen} />
            ))}
          </nav>
          <div className="min-w-0 flex-1 overflow-auto px-6 py-5">{chosen?.pane}</div>
        </div>
      </div>
    </>
  );
}

function OriginLink({ id, label, note, icon, current }: Origin & { current: boolean }) {
  return (
    <Link
      to={paths.newBlueprintFrom(id)}
      replace
      aria-current={current ? "page" : undefined}
      className="flex items-start gap-2.5 rounded-control px-2 py-1.5 transition-colors hover:bg-hover aria-[current=page]:bg-active [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      <span className="min-w-0">
        <span className="block font-medium">{label}</span>
        <span className="block text-12 text-muted @max-[40rem]:sr-only">{note}</span>
      </span>
    </Link>
  );
}
