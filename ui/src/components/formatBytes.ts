const units = ["KB", "MB", "GB", "TB"];

/** A size for reading, in powers of 1,000 as file managers count: "512 bytes", "48.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let size = bytes / 1_000;
  let unit = 0;
  // 999.95 would be written 1000.0.
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size.toFixed(1)} ${units[unit]}`;
}
