import type { ApiOperation } from "./openApi";

/**
 * Writes a call of the operation for a shell. `$BATON_URL` and `$BATON_TOKEN` are left to the
 * person, so that no token is ever on the screen.
 */
export function curlCommand({ method, path, requestBody }: ApiOperation): string {
  const example = requestBody?.content["application/json"]?.example;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const lines = [
    `curl -X ${method} "$BATON_URL${address}"`,
    `-H "Authorization: Bearer $BATON_TOKEN"`,
  ];
  if (example !== undefined) {
    lines.push(`-H "Content-Type: application/json"`, `-d ${quote(JSON.stringify(example))}`);
  }
  return lines.join(" \\\n  ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
