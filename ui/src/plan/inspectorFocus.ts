/** Moves the keyboard focus into the inspector, and back to the nodes. */

const focusableSelector = "input, textarea, select, button, a[href], [tabindex='0']";

/** The first field of what a node does; not a button in its label, nor a switch above it. */
const workSelector = ["[role=textbox]", "[role=combobox]", "textarea", "input"]
  .map((field) => `[data-work] ${field}`)
  .join(", ");

/**
 * Focuses the inspector: what the node does, such as its command, if that is what is filled in next;
 * or else its selected tab, or its first control. An untouched `defaultText` of that field is
 * selected, so that typing replaces it.
 */
export function focusInspector(defaultText?: string): void {
  const panel = document.querySelector<HTMLElement>("[data-side]");
  const field = panel?.querySelector<HTMLElement>(workSelector);
  const tab = panel?.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
  (field ?? tab ?? panel?.querySelector<HTMLElement>(focusableSelector) ?? panel)?.focus();
  if (field && defaultText) selectText(field, defaultText);
}

/** Selects the text of a field if it is `text`. */
function selectText(field: HTMLElement, text: string): void {
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
    if (field.value === text) field.select();
  } else if (field.textContent === text) getSelection()?.selectAllChildren(field);
}

/** Returns the focus to the selected row or card. */
export function focusSelectedNode(canvas: { focus: () => void } | undefined): void {
  if (canvas) {
    canvas.focus();
    return;
  }
  document
    .querySelector<HTMLElement>(
      "[data-row][tabindex='0'][aria-selected=true], [data-row][tabindex='0']",
    )
    ?.focus();
}
