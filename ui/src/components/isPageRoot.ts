/** Whether the focus is on the page as a whole: on the body, or on `main` after a navigation. */
export function isPageRoot(element: EventTarget | null): boolean {
  return element === document.body || (element instanceof HTMLElement && element.matches("main"));
}
