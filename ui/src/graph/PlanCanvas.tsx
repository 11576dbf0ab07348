import { useStoreApi } from "@xyflow/react";
import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { formatCount } from "@/components/formatCount";
import { formatNodesAndNotes } from "@/plan/nodeCounts";
import { onThemeChange, readCanvasColors } from "./canvasColors";
import { DoubleBufferedCanvas } from "./DoubleBufferedCanvas";
import type { PaintInput } from "./paintInput";
import { viewportOf } from "./useRenderWindow";

/**
 * The plan as a painted picture, used when too many nodes are in view for HTML elements. It sits
 * below the pane that takes the pointer. Panning moves the picture; state changes are painted over
 * it.
 */
export function PlanCanvas(subject: PaintInput): ReactElement {
  const one = useRef<HTMLCanvasElement>(null);
  const other = useRef<HTMLCanvasElement>(null);
  const picture = useDoubleBufferedCanvas(one, other);

  useLayoutEffect(() => picture.current?.show(subject));

  const { scene, onlyLines } = subject;
  const words = onlyLines
    ? formatCount(onlyLines.length, "more edge")
    : `${formatNodesAndNotes(scene.nodes)}, zoomed out. Use the list to read them by name.`;
  return (
    <div role="img" aria-label={words} className="plan-drawing absolute inset-0 overflow-hidden">
      {[one, other].map((canvas, at) => (
        <canvas
          // biome-ignore lint/suspicious/noArrayIndexKey: the two are identical and fixed
          key={at}
          ref={canvas}
          className="absolute top-0 left-0 origin-top-left"
        />
      ))}
    </div>
  );
}

/**
 * Creates the double-buffered canvas for as long as the elements exist. It follows the view without
 * rerendering.
 */
function useDoubleBufferedCanvas(
  one: RefObject<HTMLCanvasElement | null>,
  other: RefObject<HTMLCanvasElement | null>,
): RefObject<DoubleBufferedCanvas | undefined> {
  const store = useStoreApi();
  const picture = useRef<DoubleBufferedCanvas>(undefined);

  useLayoutEffect(() => {
    if (!one.current || !other.current) return;
    const probe = one.current;
    const made = new DoubleBufferedCanvas([probe, other.current], () => readCanvasColors(probe));
    picture.current = made;
    const follow = () => {
      const view = viewportOf(store.getState());
      if (view) made.follow(view);
    };
    follow();
    const leave = store.subscribe((now, before) => {
      const { transform, width, height } = before;
      if (now.transform !== transform || now.width !== width || now.height !== height) follow();
    });
    return () => {
      leave();
      made.close();
      picture.current = undefined;
    };
  }, [store, one, other]);

  useEffect(() => onThemeChange(() => picture.current?.reloadColors()), []);
  return picture;
}
