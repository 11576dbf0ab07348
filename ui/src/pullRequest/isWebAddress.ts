/** Whether `text` is an address of the web, and not a script or a file. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
