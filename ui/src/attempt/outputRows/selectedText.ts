/** The text of a row, and a row that continues the line of the one above, see `OutputRowView`. */
const textSelector = "[data-text]";
const continuedSelector = "[data-continued]";

/**
 * The selected text of the rows in an element: without line numbers and times, and without breaks
 * where a long line continues in another row. `undefined` if nothing is selected there.
 */
export function selectedText(rows: Element, selection: Selection | null): string | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const texts = [...rows.querySelectorAll(textSelector)].filter((text) =>
    range.intersectsNode(text),
  );
  if (texts.length === 0) return undefined;
  return texts
    .map((text, at) => (at > 0 && !continues(text) ? "\n" : "") + partIn(range, text))
    .join("");
}

function continues(text: Element): boolean {
  return text.closest(continuedSelector) !== null;
}

function partIn(selected: Range, text: Element): string {
  const part = text.ownerDocument.createRange();
  part.selectNodeContents(text);
  if (selected.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(selected.startContainer, selected.startOffset);
  if (selected.compareBoundaryPoints(Range.END_TO_END, part) < 0)
    part.setEnd(selected.endContainer, selected.endOffset);
  return part.toString();
}
