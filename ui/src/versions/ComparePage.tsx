import { type ReactElement, useMemo } from "react";
import { useParams, useSearchParams } from "react-router";
import { useOperation } from "@/api/queries";
import { formatAuthor } from "@/components/actor";
import { describeApprover } from "@/components/approvalText";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { Select } from "@/components/Select";
import { Skeleton } from "@/components/Skeleton";
import { formatDateTime } from "@/components/time";
import { PageHeader } from "@/shell/PageHeader";
import { Comparison } from "./Comparison";
import { VersionsHeading } from "./VersionsHeading";

/** Compares two versions of a blueprint, as one graph and a list of changes. */
export function ComparePage(): ReactElement {
  const { plan = "" } = useParams();
  const [search, setSearch] = useSearchParams();
  const view = useOperation("plan_get", { plan });
  const versions = useOperation("plan_versions", { plan });
  const title = view.data?.plan.title || "Untitled";
  const numbers = versions.data?.map(({ version }) => version) ?? [];
  const to = numberOf(search.get("to"), numbers) ?? numbers[0];
  const from = numberOf(search.get("from"), numbers) ?? numbers[1] ?? to;
  const options = useMemo(
    () =>
      versions.data?.map(({ version, author, at, approval }) => ({
        id: String(version),
        label: `Version ${version}`,
        note: [
          `${formatAuthor(author)}, ${formatDateTime(at)}`,
          approval && describeApprover(approval),
        ]
          .filter(Boolean)
          .join("; "),
      })) ?? [],
    [versions.data],
  );
  const choose = (end: "from" | "to") => (version: string) =>
    setSearch({ from: String(from), to: String(to), [end]: version }, { replace: true });
  const error = view.error ?? versions.error;
  const missing = [search.get("from"), search.get("to")].filter(
    (text): text is string =>
      text !== null && numbers.length > 0 && numberOf(text, numbers) === undefined,
  );

  return (
    <>
      <PageHeader
        title={`Versions of ${title}`}
        heading={
          <VersionsHeading plan={plan} title={title}>
            Compare
          </VersionsHeading>
        }
        toolbar={
          from !== undefined && (
            <div className="flex items-center gap-2">
              <Select
                label="From"
                labelHidden
                options={options}
                value={String(from)}
                onChange={choose("from")}
              />
              <span aria-hidden="true" className="text-faint">
                →
              </span>
              <Select
                label="To"
                labelHidden
                options={options}
                value={String(to)}
                onChange={choose("to")}
              />
            </div>
          )
        }
      />
      {missing.length > 0 && (
        <p role="status" className="shrink-0 border-b bg-state-waiting-tint px-4 py-1.5">
          {missing.length === 1
            ? `Version ${missing[0]} of this blueprint doesn't exist. `
            : `Versions ${missing.join(" and ")} of this blueprint don't exist. `}
          Showing the latest instead.
        </p>
      )}
      {error ? (
        <ErrorState
          title="Couldn't load the versions"
          detail={error.code}
          onRetry={() => void versions.refetch()}
          retrying={versions.isFetching}
        >
          {error.message}
        </ErrorState>
      ) : from === undefined || to === undefined ? (
        <div className="p-4">
          <Skeleton />
        </div>
      ) : numbers.length < 2 ? (
        <EmptyState title="There is only one version so far">
          Each saved change creates a version. Edit the blueprint, then come back.
        </EmptyState>
      ) : (
        <Comparison key={`${from} ${to}`} plan={plan} from={from} to={to} />
      )}
    </>
  );
}

function numberOf(text: string | null, known: readonly number[]): number | undefined {
  return known.find((version) => String(version) === text);
}
