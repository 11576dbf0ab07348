import { render } from "@testing-library/react";
import { useRef } from "react";
import { expect, test, vi } from "vitest";
import { useToasts } from "@/components/toasts";
import { useToastInset } from "./useToastInset";

const measured = vi.hoisted(() => ({ width: 0 }));
vi.mock("@/components/useElementWidth", () => ({ useElementWidth: () => measured.width }));

function Panel() {
  const panel = useRef<HTMLDivElement>(null);
  useToastInset(panel);
  return <div ref={panel} />;
}

test("toasts stay beside the panel while it is open", () => {
  measured.width = 340;
  const { unmount } = render(<Panel />);
  expect(useToasts.getState().inset).toBe(340);
  unmount();
  expect(useToasts.getState().inset).toBe(0);
});

test("a panel that fills a small window leaves no room beside it", () => {
  measured.width = window.innerWidth;
  render(<Panel />);
  expect(useToasts.getState().inset).toBe(0);
});
