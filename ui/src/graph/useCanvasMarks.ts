import { useMemo } from "react";
import { usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { matchesOf } from "@/plan/search";
import type { CriticalPath } from "@/plan/usePlanTiming";
import type { Marks } from "./marks";
import { indicesOf, type Scene } from "./scene";

/** The marks for painted nodes; `selected` are the selected nodes that are not elements. */
export function useCanvasMarks(
  scene: Pick<Scene, "indexById">,
  selected: ReadonlySet<number>,
  critical: CriticalPath,
): Marks {
  const { indexById: at } = scene;
  const nodes = useEditor((state) => state.plan.nodes);
  const problems = useEditor((state) => state.problems);
  const search = usePage((state) => state.search);
  const troubled = useMemo(
    () => indicesOf(at, new Set(problems.flatMap((each) => each.nodes))),
    [at, problems],
  );
  const found = useMemo(() => indicesOf(at, matchesOf({ nodes }, search)), [at, nodes, search]);
  const onPath = useMemo(() => indicesOf(at, critical.nodes), [at, critical]);
  return useMemo(
    () => ({ troubled, critical: onPath, found, selected }),
    [troubled, onPath, found, selected],
  );
}
