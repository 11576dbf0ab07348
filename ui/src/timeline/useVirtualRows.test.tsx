import { render } from "@testing-library/react";
import { type ReactElement, useRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { allEntries } from "./entrySequence";
import { useVirtualRows } from "./useVirtualRows";

afterEach(() => vi.unstubAllGlobals());

const sequence = allEntries(20);

function List({ following, nested }: { following: boolean; nested?: ReactElement }): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const options = { scroller, sequence, estimatedHeight: 30, overscan: 1, keepMounted: -1 };
  const virtual = useVirtualRows({ ...options, following });
  return (
    <div ref={scroller} data-testid="scroller">
      <div style={{ height: virtual.height }}>
        {virtual.rows.map(({ place }) => (
          <div key={place} data-index={place}>
            {place === 0 && nested}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Renders a list in a viewport 100 pixels high. Returns how to change its height. */
function renderList(following: boolean) {
  let notify: (height: number) => void = () => {};
  class Observer {
    constructor(callback: ResizeObserverCallback) {
      notify = (height) => {
        define("clientHeight", height);
        const change = { target: scroller } as unknown as ResizeObserverEntry;
        callback([change], this as unknown as ResizeObserver);
      };
    }
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal("ResizeObserver", Observer);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(30);
  const view = render(<List following={false} />);
  const scroller = view.getByTestId("scroller");
  const define = (name: string, value: number) =>
    Object.defineProperty(scroller, name, { value, configurable: true });
  define("scrollHeight", 600);
  define("clientHeight", 100);
  view.rerender(<List following={following} />);
  // A browser reports that the list was scrolled.
  scroller.dispatchEvent(new Event("scroll"));
  return { scroller, resize: (height: number) => notify(height) };
}

test("a list that follows stays at its end when its viewport becomes smaller", () => {
  const { scroller, resize } = renderList(true);
  expect(scroller.scrollTop).toBe(500);
  // The same rows stay visible.
  resize(95);
  expect(scroller.scrollTop).toBe(505);
});

test("a list that doesn't follow keeps its place when its viewport becomes smaller", () => {
  const { scroller, resize } = renderList(false);
  scroller.scrollTop = 120;
  scroller.dispatchEvent(new Event("scroll"));
  resize(60);
  expect(scroller.scrollTop).toBe(120);
});

test("the rows of a list within a row aren't measured as its own", () => {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(function (
    this: HTMLElement,
  ) {
    return this.id === "nested" ? 500 : 30;
  });
  const nested = (
    <div>
      <div id="nested" data-index="1" />
    </div>
  );
  const { getByTestId } = render(<List following={false} nested={nested} />);
  expect(getByTestId("scroller").firstElementChild).toHaveStyle({ height: "600px" });
});
