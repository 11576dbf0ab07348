/** Formats a time since the start of a session: "0:42", "1:02:03". */
export function formatPlaybackTime(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? part : String(part).padStart(2, "0"))).join(":");
}

/** Formats a command line for a shell. Arguments with spaces or special characters are quoted. */
export function formatCommandLine(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
