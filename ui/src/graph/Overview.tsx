import { useStoreApi } from "@xyflow/react";
import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { formatNumber } from "@/components/formatCount";
import { Picture } from "./Picture";
import type { Subject } from "./painting";
import { onThemeChange, paintsOf } from "./paints";
import { viewOf } from "./useSight";

/**
 * A plan of which too much is in view for elements: blocks, titles and lines in one drawing, under the pane that takes
 * the pointer. A move of the view moves the picture, a change of state draws over it.
 */
export function Overview(subject: Subject): ReactElement {
  const one = useRef<HTMLCanvasElement>(null);
  const other = useRef<HTMLCanvasElement>(null);
  const picture = usePicture(one, other);

  useLayoutEffect(() => picture.current?.show(subject));

  const { scene, only } = subject;
  const words = only
    ? `${formatNumber(only.length)} more edges`
    : `${formatNumber(scene.nodes.length)} nodes from far away; the list shows them by name`;
  return (
    <div role="img" aria-label={words} className="plan-drawing absolute inset-0 overflow-hidden">
      {[one, other].map((canvas, at) => (
        <canvas
          // biome-ignore lint/suspicious/noArrayIndexKey: the two are alike and stay
          key={at}
          ref={canvas}
          className="absolute top-0 left-0 origin-top-left"
        />
      ))}
    </div>
  );
}

/** The picture on two canvases, as long as they are there. It follows the view by itself. */
function usePicture(
  one: RefObject<HTMLCanvasElement | null>,
  other: RefObject<HTMLCanvasElement | null>,
): RefObject<Picture | undefined> {
  const store = useStoreApi();
  const picture = useRef<Picture>(undefined);

  useLayoutEffect(() => {
    if (!one.current || !other.current) return;
    const probe = one.current;
    const made = new Picture([probe, other.current], () => paintsOf(probe));
    picture.current = made;
    const follow = () => {
      const view = viewOf(store.getState());
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

  useEffect(() => onThemeChange(() => picture.current?.recolour()), []);
  return picture;
}
