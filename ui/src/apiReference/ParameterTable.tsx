import type { ReactElement } from "react";
import { InlineCodeText } from "@/components/InlineCodeText";
import type { OpenApiDocument, OpenApiParameter } from "./openApi";
import { outlineSchema } from "./schemaOutline";

export interface ParameterTableProps {
  document: OpenApiDocument;
  parameters: readonly OpenApiParameter[];
}

/** The parameters of an operation in its path, its query and its headers. */
export function ParameterTable({ document, parameters }: ParameterTableProps): ReactElement {
  return (
    <table className="w-full border-collapse text-left">
      <thead className="text-12 text-faint">
        <tr className="border-b">
          <th className="py-1 pr-4 font-medium">Name</th>
          <th className="py-1 pr-4 font-medium">In</th>
          <th className="py-1 font-medium">Value</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map((parameter) => (
          <tr key={`${parameter.in} ${parameter.name}`} className="border-b align-baseline">
            <th scope="row" className="py-1.5 pr-4 font-medium font-mono text-12">
              {parameter.name}
            </th>
            <td className="py-1.5 pr-4 text-12 text-muted">
              {parameter.in}
              {parameter.required && ", required"}
            </td>
            <td className="py-1.5">
              <ParameterValue document={document} parameter={parameter} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ParameterValue({
  document,
  parameter,
}: {
  document: OpenApiDocument;
  parameter: OpenApiParameter;
}): ReactElement {
  const { type } = outlineSchema(document.components.schemas, parameter.schema);
  return (
    <>
      <span className="mr-2 break-words font-mono text-12 text-muted">{type}</span>
      {parameter.description && <InlineCodeText>{parameter.description}</InlineCodeText>}
    </>
  );
}
