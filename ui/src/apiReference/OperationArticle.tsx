import type { ReactElement, ReactNode } from "react";
import { CodeText } from "@/components/CodeText";
import { CopyButton } from "@/components/CopyButton";
import { InlineCodeText } from "@/components/InlineCodeText";
import { curlCommand } from "./curlCommand";
import { MethodName } from "./MethodName";
import {
  type ApiOperation,
  type OpenApiContent,
  type OpenApiDocument,
  resolveResponse,
} from "./openApi";
import { ParameterTable } from "./ParameterTable";
import { SchemaFields } from "./SchemaFields";

export interface OperationArticleProps {
  document: OpenApiDocument;
  operation: ApiOperation;
}

/** One operation: what it does, what it takes and what it answers. */
export function OperationArticle({ document, operation }: OperationArticleProps): ReactElement {
  const { method, path, summary, description, parameters, requestBody, responses } = operation;
  return (
    <article aria-label={summary} className="flex max-w-[96ch] select-text flex-col gap-6">
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold text-18">{summary}</h2>
        <p className="flex items-baseline gap-1 break-all font-mono text-12">
          <MethodName method={method} />
          {path}
        </p>
        {description && (
          <p className="whitespace-pre-line text-muted">
            <InlineCodeText>{description}</InlineCodeText>
          </p>
        )}
      </div>
      {parameters.length > 0 && (
        <ArticleSection title="Parameters">
          <ParameterTable document={document} parameters={parameters} />
        </ArticleSection>
      )}
      {requestBody && (
        <ArticleSection title="Request body">
          <Content document={document} content={requestBody.content} example="Example of a body" />
        </ArticleSection>
      )}
      <ArticleSection title="Call from a shell">
        <Code text={curlCommand(operation)} grammar="shell" label="Command" />
      </ArticleSection>
      <ArticleSection title="Answers">
        <Answers document={document} responses={responses} />
      </ArticleSection>
    </article>
  );
}

function ArticleSection({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold text-15">{title}</h3>
      {children}
    </section>
  );
}

function Answers({
  document,
  responses,
}: {
  document: OpenApiDocument;
  responses: ApiOperation["responses"];
}): ReactElement {
  return (
    <ul aria-label="Answers" className="divide-y divide-line overflow-hidden rounded-card border">
      {Object.entries(responses).map(([status, response]) => {
        const { description = "", content } = resolveResponse(document, response) ?? {};
        return (
          <li key={status} className="px-3 py-2">
            <p>
              <span className="mr-3 font-medium font-mono text-12">{status}</span>
              <InlineCodeText>{description}</InlineCodeText>
            </p>
            {status.startsWith("2") && content && (
              <Content document={document} content={content} example={`Example of ${status}`} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface ContentProps {
  document: OpenApiDocument;
  content: OpenApiContent;
  /** The label of the example. */
  example: string;
}

/** A body by media type, as fields and as an example. */
function Content({ document, content, example: label }: ContentProps): ReactElement {
  return (
    <>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <div key={type} className="flex flex-col gap-2 pt-1">
          <p className="font-mono text-12 text-muted">{type}</p>
          {schema && <SchemaFields schemas={document.components.schemas} schema={schema} />}
          {example !== undefined && (
            <details>
              <summary className="text-12 text-muted hover:text-fg">{label}</summary>
              <Code text={exampleText(example)} grammar="json" label={label} />
            </details>
          )}
        </div>
      ))}
    </>
  );
}

function exampleText(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example, null, 2);
}

interface CodeProps {
  text: string;
  grammar: "json" | "shell";
  label: string;
}

function Code({ text, grammar, label }: CodeProps): ReactElement {
  return (
    <div className="flex items-start gap-2 rounded-card border bg-canvas p-3">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keys. */}
      <section aria-label={label} tabIndex={0} className="min-w-0 flex-1 overflow-auto">
        <pre className="max-h-96 font-mono text-12">
          <CodeText text={text} grammar={grammar} />
        </pre>
      </section>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}
