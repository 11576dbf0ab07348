// British lists have no comma before "and", like the texts of the backend.
const conjunction = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Joins items: "Build", "Build and Ship", "Build, Ship and Test". */
export function formatList(items: readonly string[]): string {
  return conjunction.format(items);
}
