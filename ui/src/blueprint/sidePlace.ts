/** Into the panel at the right and back, for the keyboard. */

const field = "input, textarea, select, button, a[href], [tabindex='0']";

/** Gives the focus to the panel: to its chosen tab, from where Tab goes on to the fields, else to its first control. */
export function enterSide(): void {
  const panel = document.querySelector<HTMLElement>("[data-side]");
  const tab = panel?.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
  (tab ?? panel?.querySelector<HTMLElement>(field) ?? panel)?.focus();
}

/** Gives the focus back to the row or card that the panel is about. */
export function leaveSide(canvas: { focus: () => void } | undefined): void {
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
