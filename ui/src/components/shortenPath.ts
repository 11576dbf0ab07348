/** Derives the home directory from the path of Baton's data directory, if possible. */
export function homeFromDataDirectory(dataDirectory: string | undefined): string | undefined {
  return /^(\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\])/.exec(
    dataDirectory ?? "",
  )?.[0];
}

/**
 * Shortens a path: the home directory becomes `~`, and a path that is too long loses its middle,
 * never its last directory.
 */
export function shortenPath(path: string, home: string | undefined, maxLength = 32): string {
  const short = underHome(path, home);
  if (short.length <= maxLength) return short;
  const parts = short.split("/");
  const root = parts[0] === "" ? "" : (parts[0] ?? "");
  let end = parts.at(-1) ?? "";
  for (let at = parts.length - 2; at > 0; at -= 1) {
    const longer = `${parts[at]}/${end}`;
    if (root.length + "/…/".length + longer.length > maxLength) break;
    end = longer;
  }
  return `${root}/…/${end}`;
}

function underHome(path: string, home: string | undefined): string {
  if (home === undefined) return path;
  if (path === home) return "~";
  // "/home/anna" must not shorten "/home/annabel".
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
