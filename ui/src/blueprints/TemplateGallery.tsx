import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import type { TemplateRow } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { paths } from "@/shell/paths";
import { ActionError } from "./ActionError";
import { DirectoryPicker } from "./DirectoryPicker";
import { TemplateCard } from "./TemplateCard";

/** The templates to start from. Creating from one copies it. */
export function TemplateGallery(): ReactElement {
  const templates = useOperation("templates_list", {});
  const [chosen, choose] = useState<string>();

  if (templates.isPending) return <Skeleton width={320} />;
  if (templates.isError) {
    return (
      <ErrorState
        title="Couldn't load the templates"
        detail={templates.error.code}
        onRetry={() => void templates.refetch()}
        retrying={templates.isFetching}
      >
        {templates.error.message}
      </ErrorState>
    );
  }
  const template = templates.data.find(({ id }) => id === chosen);
  return (
    <div className="flex flex-col gap-4">
      <div
        role="radiogroup"
        aria-label="Template"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,--spacing(60)),1fr))] gap-3"
      >
        {templates.data.map((row) => (
          <TemplateCard
            key={row.id}
            template={row}
            chosen={row.id === chosen}
            onChoose={() => choose(row.id)}
          />
        ))}
      </div>
      {template && <UseTemplate key={template.id} template={template} />}
    </div>
  );
}

function UseTemplate({ template }: { template: TemplateRow }): ReactElement {
  const navigate = useNavigate();
  const create = useMutationOperation("plan_from_template");
  const [cwd, setCwd] = useState<string | null>(template.plan.cwd);

  return (
    <div className="flex max-w-140 flex-col gap-4 border-t pt-4">
      <DirectoryPicker value={cwd} onChange={setCwd} />
      <ActionError title="Couldn't create the blueprint" error={create.error} />
      <div>
        <Button
          kind="primary"
          busy={create.isPending}
          onClick={() =>
            create.mutate(
              { template: template.id, title: null, cwd: cwd?.trim() || null },
              { onSuccess: (view) => void navigate(paths.blueprint(view.plan.id)) },
            )
          }
        >
          Create from template
        </Button>
      </div>
    </div>
  );
}
