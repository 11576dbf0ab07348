import type { ReactElement } from "react";
import { useParams, useSearchParams } from "react-router";
import { useOperation } from "@/api/queries";
import { ButtonLink } from "@/components/ButtonLink";
import { ErrorState } from "@/components/ErrorState";
import { formatCount } from "@/components/formatCount";
import { Skeleton } from "@/components/Skeleton";
import { displayTitle } from "@/plan/nodeText";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { RestorePreview } from "./RestorePreview";
import { VersionList } from "./VersionList";
import { VersionsHeading } from "./VersionsHeading";

/** The versions of a blueprint: what each changed, who approved it, which runs used it. */
export function VersionsPage(): ReactElement {
  const { plan = "" } = useParams();
  const [search] = useSearchParams();
  const view = useOperation("plan_get", { plan });
  const versions = useOperation("plan_versions", { plan });
  const title = displayTitle(view.data?.plan.title ?? "");
  const rows = versions.data;
  const [latest] = rows ?? [];
  const wanted = search.get("restore");
  const restoring = rows?.find(({ version }) => String(version) === wanted);
  const failed = [view, versions].find(({ error }) => error);

  return (
    <>
      <PageHeader
        title={`Versions of ${title}`}
        heading={
          <VersionsHeading plan={plan} title={title}>
            {restoring && `Restore version ${restoring.version}`}
          </VersionsHeading>
        }
        status={
          rows && (
            <span className="text-12 text-faint tabular-nums">
              {formatCount(rows.length, "version")}
            </span>
          )
        }
        actions={
          rows &&
          rows.length > 1 &&
          !restoring && <ButtonLink to={paths.compare(plan)}>Compare versions</ButtonLink>
        }
      />
      {wanted !== null && rows && !restoring && (
        <p role="status" className="shrink-0 border-b bg-state-waiting-tint px-4 py-1.5">
          Version {wanted} of this blueprint doesn't exist.
        </p>
      )}
      {failed?.error ? (
        <ErrorState
          title="Couldn't load the versions"
          detail={failed.error.code}
          onRetry={() => void Promise.all([view.refetch(), versions.refetch()])}
          retrying={failed.isFetching}
          actions={<ButtonLink to={paths.blueprints}>All blueprints</ButtonLink>}
        >
          {failed.error.message}
        </ErrorState>
      ) : !rows || !view.data || !latest ? (
        <div role="status" aria-label="Loading versions" className="flex flex-col gap-3 p-4">
          {[320, 210, 280, 240].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ) : restoring ? (
        <RestorePreview view={view.data} version={restoring} latest={latest.version} />
      ) : (
        <VersionList plan={plan} versions={rows} />
      )}
    </>
  );
}
