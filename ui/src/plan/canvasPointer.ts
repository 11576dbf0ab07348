import type { Position } from "@/api/bindings";

let pointer: Position | undefined;

/** Remembers where the pointer is over the canvas, in window pixels; undefined outside of it. */
export function setCanvasPointer(screen: Position | undefined): void {
  pointer = screen;
}

/** Where the pointer is over the canvas. Not a state, because it changes with every move. */
export function canvasPointer(): Position | undefined {
  return pointer;
}
