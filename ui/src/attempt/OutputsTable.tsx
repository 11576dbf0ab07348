import type { ReactElement } from "react";

/** The named outputs of a node. Renders nothing without any. */
export function OutputsTable({
  outputs,
}: {
  outputs: Readonly<Record<string, string | undefined>>;
}): ReactElement | null {
  const rows = Object.entries(outputs);
  if (rows.length === 0) return null;
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 overflow-hidden rounded-control border text-left text-12">
      <thead>
        <tr>
          <th scope="col" className="h-6 w-2/5 bg-raised px-2 font-medium text-faint">
            Output
          </th>
          <th scope="col" className="h-6 bg-raised px-2 font-medium text-faint">
            Value
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([key, value]) => (
          <tr key={key}>
            <td className="select-text break-all border-t px-2 py-1 align-top font-mono">{key}</td>
            <td
              dir="auto"
              className="select-text whitespace-pre-wrap break-words border-t px-2 py-1 font-mono"
            >
              {value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
