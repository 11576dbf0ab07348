/** Whether nothing in particular has the focus, only the page as a whole: its body, or its main part after a change of page. */
export function isPageRoot(element: EventTarget | null): boolean {
  return element === document.body || (element instanceof HTMLElement && element.matches("main"));
}
