/** Props for scrollable text: it must be reachable with the keyboard (WCAG 2.1.1). */
export const keyboardScrollable = { tabIndex: 0 } as const;
