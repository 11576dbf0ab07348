const units = ["KB", "MB", "GB", "TB"];

/** Formats a size in powers of 1,000, as file managers do: "512 bytes", "48.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let size = bytes / 1_000;
  let unit = 0;
  // 999.95 would be rounded to 1000.0.
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size.toFixed(1)} ${units[unit]}`;
}
