import type { ComponentType } from "react";

/** The code of a page did not come: a browser whose server is gone has only the pages that were opened before. */
export class PageLoadError extends Error {
  override readonly name = "PageLoadError";
}

/** A page as its route loads it: the component `name` of the module that `load` brings. */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): () => Promise<{ Component: ComponentType }> {
  return async () => {
    const module = await load().catch((cause: unknown) => {
      throw new PageLoadError(cause instanceof Error ? cause.message : String(cause), { cause });
    });
    return { Component: module[name] };
  };
}
