import { type RefObject, useEffect } from "react";

const name = "baton-found";

/**
 * Highlights all rendered occurrences of `text` without changing the DOM. Does nothing in browsers
 * without the CSS Custom Highlight API.
 */
export function useTextHighlight(
  container: RefObject<HTMLElement | null>,
  text: string,
  cause: unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `cause` changes when other rows are rendered
  useEffect(() => {
    if (!("highlights" in CSS) || !container.current || text.trim() === "") return;
    const root = container.current;
    const highlight = () => CSS.highlights.set(name, new Highlight(...rangesOf(root, text.trim())));
    highlight();
    // A long text within an entry renders other lines as it is scrolled.
    const rendered = new MutationObserver(highlight);
    rendered.observe(root, { childList: true, subtree: true });
    return () => {
      rendered.disconnect();
      CSS.highlights.delete(name);
    };
  }, [container, text, cause]);
}

function rangesOf(root: HTMLElement, text: string): Range[] {
  const sought = text.toLowerCase();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const content = (node.textContent ?? "").toLowerCase();
    for (let at = content.indexOf(sought); at !== -1; at = content.indexOf(sought, at + 1)) {
      // Lowercasing can lengthen a string, as for "İ".
      if (at + sought.length > (node.textContent ?? "").length) break;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + sought.length);
      ranges.push(range);
    }
  }
  return ranges;
}
