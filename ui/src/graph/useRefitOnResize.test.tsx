import { act, render } from "@testing-library/react";
import { ReactFlowProvider, useStoreApi } from "@xyflow/react";
import { expect, test, vi } from "vitest";
import { useRefitOnResize } from "./useRefitOnResize";

const setViewport = vi.hoisted(() => vi.fn());
vi.mock("@xyflow/react", async (original) => ({
  ...(await original<typeof import("@xyflow/react")>()),
  useReactFlow: () => ({ setViewport }),
}));

type Store = ReturnType<typeof useStoreApi>;

function open(again: () => Promise<void>) {
  const held: { store?: Store } = {};
  function Canvas() {
    held.store = useStoreApi();
    useRefitOnResize()({ x: 0, y: 0, zoom: 1 }, again);
    return null;
  }
  render(<Canvas />, { wrapper: ReactFlowProvider });
  setViewport.mockClear();
  return (box: { top: number; bottom: number; left: number; right: number }) => {
    const domNode = { getBoundingClientRect: () => box } as HTMLDivElement;
    const size = { width: box.right - box.left, height: box.bottom - box.top };
    act(() => held.store?.setState({ domNode, transform: [0, 0, 1], ...size }));
  };
}

const box = { top: 80, bottom: 680, left: 0, right: 900 };

test("a banner above the canvas moves no node, not even of a fitted blueprint", () => {
  const again = vi.fn(async () => undefined);
  const put = open(again);
  put(box);
  put({ ...box, top: 120 });
  expect(setViewport).toHaveBeenCalledExactlyOnceWith({ x: 0, y: -40, zoom: 1 });
  expect(again).not.toHaveBeenCalled();
});

test("a fitted blueprint is fitted again when the window is resized", () => {
  const again = vi.fn(async () => undefined);
  const put = open(again);
  put(box);
  put({ ...box, bottom: 500 });
  expect(again).toHaveBeenCalledOnce();
  expect(setViewport).not.toHaveBeenCalled();
});
