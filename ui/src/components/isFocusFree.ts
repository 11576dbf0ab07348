/**
 * Whether a closing overlay may set the focus: it is nowhere, or still in the overlay. Radix asks
 * for the focus in a later task; until then a key may have opened a field.
 */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement?.closest("[role*=dialog]") !== null;
}
