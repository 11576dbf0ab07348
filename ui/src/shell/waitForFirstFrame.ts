/** The longest wait, in milliseconds. A covered window may paint nothing. */
const limitMs = 100;

/** Resolves when the document's first frame was painted, and at once in a hidden window. */
export function waitForFirstFrame(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, limitMs);
    // The callback runs before the frame is painted, and the task after it.
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
