/** For text that scrolls in itself: the keyboard has to come to it (WCAG 2.1.1). */
export const keyboardScrollable = { tabIndex: 0 } as const;
