import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Navigate, useParams } from "react-router";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { Skeleton } from "@/components/Skeleton";
import { Breadcrumbs } from "@/shell/Breadcrumbs";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { type LoadedDocument, loadDocument } from "./loadDocument";
import { OperationArticle } from "./OperationArticle";
import { OperationList } from "./OperationList";
import { operationsIn } from "./openApi";
import { SaveDocumentButton } from "./SaveDocumentButton";

const title = "REST API";

/** Every call of the REST API, from the OpenAPI document: a list on the left, one call on the right. */
export function ApiReferencePage(): ReactElement {
  const loaded = useQuery({
    queryKey: ["openapi.json"],
    queryFn: loadDocument,
    staleTime: Infinity,
  });
  return (
    <>
      <PageHeader
        title={title}
        heading={<Breadcrumbs parent={{ title: "Help", path: paths.help }} title={title} />}
        actions={loaded.data && <SaveDocumentButton text={loaded.data.text} />}
      />
      {loaded.data ? (
        <Reference {...loaded.data} />
      ) : loaded.error ? (
        <ErrorState
          title="Couldn't load the API reference"
          onRetry={() => void loaded.refetch()}
          retrying={loaded.isFetching}
        >
          {loaded.error.message}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading the API reference" className="p-4">
          <Skeleton width={320} />
        </div>
      )}
    </>
  );
}

function Reference({ document }: LoadedDocument): ReactElement {
  const { operation: name } = useParams();
  const [query, setQuery] = useState("");
  const operations = operationsIn(document);
  const [first] = operations.filter(({ path }) => path === "/api/plans");
  if (name === undefined && first)
    return <Navigate to={paths.apiOperation(first.operationId)} replace />;
  const operation = operations.find(({ operationId }) => operationId === name);
  return (
    <div className="flex min-h-0 flex-1">
      <OperationList
        operations={operations}
        current={name ?? ""}
        query={query}
        onSearch={setQuery}
      />
      <div {...keyboardScrollable} className="min-h-0 min-w-0 flex-1 overflow-auto px-8 py-6">
        {operation ? (
          <OperationArticle key={name} document={document} operation={operation} />
        ) : (
          <EmptyState title="Operation not found">
            There is no operation “{name}”. Choose one from the list, or search.
          </EmptyState>
        )}
      </div>
    </div>
  );
}
