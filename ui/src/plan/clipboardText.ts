import { showToast } from "@/components/toasts";

/** Puts a text on the clipboard from a menu or the palette. Keys do it by the system's own events, which need no leave. */
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

/** The text on the clipboard; nothing, and a word about it, where the window may not read it. */
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
