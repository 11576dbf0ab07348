import { useMemo } from "react";
import { usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { matchesOf } from "@/plan/search";
import type { Critical } from "@/plan/usePace";
import type { Marks } from "./paintedMarks";
import { numbersOf, type Scene } from "./scene";

/** What is marked in a drawing of the scene; `selected` are those of the selection that are no elements. */
export function useMarks(
  scene: Pick<Scene, "at">,
  selected: ReadonlySet<number>,
  critical: Critical,
): Marks {
  const { at } = scene;
  const nodes = useEditor((state) => state.plan.nodes);
  const problems = useEditor((state) => state.problems);
  const search = usePage((state) => state.search);
  const troubled = useMemo(
    () => numbersOf(at, new Set(problems.flatMap((each) => each.nodes))),
    [at, problems],
  );
  const found = useMemo(() => numbersOf(at, matchesOf({ nodes }, search)), [at, nodes, search]);
  const onPath = useMemo(() => numbersOf(at, critical.nodes), [at, critical]);
  return useMemo(
    () => ({ troubled, critical: onPath, found, selected }),
    [troubled, onPath, found, selected],
  );
}
