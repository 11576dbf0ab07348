import { afterEach, expect, test, vi } from "vitest";
import { type PointerDrag, suppressNextClick, trackPointer } from "./pointerDrag";

const drag = { move: vi.fn(), drop: vi.fn(), cancel: vi.fn() } satisfies PointerDrag;

afterEach(() => {
  vi.clearAllMocks();
});

function press(key: string) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true });
  document.body.dispatchEvent(event);
}

test("reports every move of a drag, then the drop, then nothing", () => {
  trackPointer(drag);
  window.dispatchEvent(new PointerEvent("pointermove"));
  window.dispatchEvent(new PointerEvent("pointermove"));
  window.dispatchEvent(new PointerEvent("pointerup"));
  window.dispatchEvent(new PointerEvent("pointermove"));
  window.dispatchEvent(new PointerEvent("pointerup"));
  press("Escape");
  expect(drag.move).toHaveBeenCalledTimes(2);
  expect(drag.drop).toHaveBeenCalledTimes(1);
  expect(drag.cancel).not.toHaveBeenCalled();
});

test.each([
  ["Escape", () => press("Escape")],
  ["a pointer that is taken away", () => window.dispatchEvent(new PointerEvent("pointercancel"))],
])("%s cancels the drag, and releasing later drops nothing", (_, act) => {
  const cancelDrag = trackPointer(drag);
  act();
  cancelDrag();
  window.dispatchEvent(new PointerEvent("pointerup"));
  expect(drag.cancel).toHaveBeenCalledTimes(1);
  expect(drag.drop).not.toHaveBeenCalled();
});

test("Escape that cancels a drag is not handled elsewhere, other keys are", () => {
  const seen: string[] = [];
  const record = (event: Event) => seen.push((event as KeyboardEvent).key);
  document.body.addEventListener("keydown", record);
  const cancelDrag = trackPointer(drag);
  press("a");
  press("Escape");
  press("Escape");
  document.body.removeEventListener("keydown", record);
  cancelDrag();
  expect(seen).toEqual(["a", "Escape"]);
});

test("suppresses one click and lets the next one through", () => {
  const seen = vi.fn();
  document.body.addEventListener("click", seen);
  suppressNextClick();
  document.body.click();
  document.body.click();
  document.body.removeEventListener("click", seen);
  expect(seen).toHaveBeenCalledTimes(1);
});
