import { homeFromDataDirectory, shortenPath } from "@/components/shortenPath";

/**
 * Returns a path as people write it: relative to the session's directory if it is below, otherwise
 * with `~` for the home directory.
 */
export function sessionPath(path: string, directory: string | undefined): string {
  if (directory === undefined) return path;
  const root = directory.replace(/[/\\]+$/, "");
  if (path === root) return ".";
  if (path.startsWith(`${root}/`) || path.startsWith(`${root}\\`)) {
    return path.slice(root.length + 1);
  }
  return shortenPath(path, homeFromDataDirectory(`${root}/`), Number.POSITIVE_INFINITY);
}

/** Returns what a call works on, with its paths as people write them. */
export function callObject(
  summary: string,
  paths: readonly string[],
  directory: string | undefined,
): string {
  if (paths.length > 0 && !summary.endsWith("…")) {
    return paths.map((path) => sessionPath(path, directory)).join(", ");
  }
  return /^(?:\/|[A-Za-z]:\\)[^\s|&;<>$]*$/.test(summary)
    ? sessionPath(summary, directory)
    : summary;
}
