/** Reports whether the text contains every word of the search, in any order and case. */
export function matchesSearch(search: string, text: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
