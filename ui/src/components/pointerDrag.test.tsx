import { afterEach, expect, test, vi } from "vitest";
import { followPointer, type PointerDrag, swallowClick } from "./pointerDrag";

const drag = { move: vi.fn(), drop: vi.fn(), cancel: vi.fn() } satisfies PointerDrag;

afterEach(() => {
  vi.clearAllMocks();
});

function press(key: string) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true });
  document.body.dispatchEvent(event);
}

test("a drag is told each way of the pointer, then where it was let go, then nothing more", () => {
  followPointer(drag);
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
])("%s gives the drag up, and letting go later drops nothing", (_, act) => {
  const giveUp = followPointer(drag);
  act();
  giveUp();
  window.dispatchEvent(new PointerEvent("pointerup"));
  expect(drag.cancel).toHaveBeenCalledTimes(1);
  expect(drag.drop).not.toHaveBeenCalled();
});

test("the Escape that gives a drag up means nothing to anybody else, other keys do", () => {
  const heard: string[] = [];
  const hear = (event: Event) => heard.push((event as KeyboardEvent).key);
  document.body.addEventListener("keydown", hear);
  const giveUp = followPointer(drag);
  press("a");
  press("Escape");
  press("Escape");
  document.body.removeEventListener("keydown", hear);
  giveUp();
  expect(heard).toEqual(["a", "Escape"]);
});

test("one click is kept back, the next one counts", () => {
  const heard = vi.fn();
  document.body.addEventListener("click", heard);
  swallowClick();
  document.body.click();
  document.body.click();
  document.body.removeEventListener("click", heard);
  expect(heard).toHaveBeenCalledTimes(1);
});
