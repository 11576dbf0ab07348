/** The person's home, as far as the place of Baton's data tells it. */
export function homeFromDataDirectory(dataDirectory: string | undefined): string | undefined {
  return /^(\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:\\Users\\[^\\]+)(?=[/\\])/.exec(
    dataDirectory ?? "",
  )?.[0];
}

/** A path for a narrow place: the home as `~`, and what is too long loses its middle, never its last folder. */
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
