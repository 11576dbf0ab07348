import { useLayoutEffect, useRef, useState } from "react";

// biome-ignore lint/suspicious/noExplicitAny: what the functions take is theirs
type Callbacks = Record<string, (...given: any[]) => unknown>;

/**
 * The functions of an object as ones that never change and do what the latest do. React Flow draws every card and edge
 * anew when it is given another function. The names have to be the same each time; not for use while drawing.
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
