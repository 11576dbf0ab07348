import { useLayoutEffect, useRef, useState } from "react";

// biome-ignore lint/suspicious/noExplicitAny: the parameter types don't matter here
type Callbacks = Record<string, (...given: any[]) => unknown>;

/**
 * Wraps functions in stable ones that call the latest version. React Flow rerenders every card and
 * edge when it gets another function. The keys must not change, and the functions must not be
 * called during rendering.
 */
export function useStableCallbacks<Given extends Callbacks>(acts: Given): Given {
  const latest = useRef(acts);
  useLayoutEffect(() => {
    latest.current = acts;
  });
  const [steady] = useState(
    () =>
      Object.fromEntries(
        Object.keys(acts).map((name) => [
          name,
          (...given: unknown[]) => latest.current[name]?.(...given),
        ]),
      ) as Given,
  );
  return steady;
}
