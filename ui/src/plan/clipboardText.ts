import { showToast } from "@/components/toasts";

/**
 * Writes to the clipboard from a menu or the palette. Shortcuts use the system's clipboard events
 * instead, which need no permission.
 */
export async function clipboardWrite(text: string | undefined): Promise<boolean> {
  if (text === undefined) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showToast({
      kind: "error",
      title: "Couldn't copy",
      detail: "The menu can't write to the clipboard. Press Ctrl+C instead.",
    });
    return false;
  }
}

/**
 * The text on the clipboard. Shows an error and returns undefined when the window isn't allowed to
 * read it.
 */
export async function clipboardRead(): Promise<string | undefined> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    showToast({
      kind: "error",
      title: "Couldn't paste",
      detail: "The menu can't read the clipboard. Press Ctrl+V instead.",
    });
    return undefined;
  }
}
