/** Into the panel at the right, and back to the nodes, for the keyboard. */

const focusableSelector = "input, textarea, select, button, a[href], [tabindex='0']";

/** Gives the focus to the panel: to its chosen tab, from where Tab goes on to the fields, else to its first control. */
export function focusInspector(): void {
  const panel = document.querySelector<HTMLElement>("[data-side]");
  const tab = panel?.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
  (tab ?? panel?.querySelector<HTMLElement>(focusableSelector) ?? panel)?.focus();
}

/** Gives the focus back to the row or card that is selected, from wherever around it the person has been. */
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
