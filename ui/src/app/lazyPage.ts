import type { ComponentType } from "react";

/**
 * A page's code couldn't be loaded. When the server is gone, a browser only has the pages that were
 * opened before.
 */
export class PageLoadError extends Error {
  override readonly name = "PageLoadError";
}

/** Returns a route's `lazy` function, which loads the component `name` from the module. */
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
