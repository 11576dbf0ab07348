import { act, createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import { useToasts } from "@/components/toasts";
import { resetAppState, useAppState } from "@/shell/appState";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { OutputView, type OutputViewProps } from "./OutputView";
import { FakeOutput } from "./outputFixture";

beforeEach(() => {
  mockElementSizes();
  resetAppState();
  useToasts.setState({ toasts: [] });
});
afterEach(() => vi.restoreAllMocks());

const million = 1_000_000;

function open(output: FakeOutput, props: Partial<OutputViewProps> = {}) {
  const fake = fakeBackend({
    output_window: ({ session: _, ...range }) => output.window(range),
    output_search: ({ session: _, ...input }) => {
      if (input.pattern.kind === "regex" && input.pattern.regex === "(")
        throw new ApiError("invalid", "The expression has an open group.");
      return output.search(input);
    },
    output_line_count: () => ({
      counted: output.size,
      size: output.size,
      lines: output.counted ? output.total : null,
    }),
    output_text: ({ from, to, colors }) => ({
      text: `${from / 20}-${to / 20}${colors ? " colored" : ""}`,
      next: to,
    }),
  });
  renderAtPath(fake.backend, <OutputView session="s" startedAt={0} {...props} />);
  return fake;
}

const rowElements = () => [...document.querySelectorAll<HTMLElement>("[data-position]")];
const lines = () => screen.getByRole("group", { name: "Output lines" });
const scrollbar = () => screen.getByRole("scrollbar", { name: "Position in the output" });
const searchField = () => screen.getByRole("textbox", { name: "Search output" });

async function row(index: number): Promise<HTMLElement> {
  return waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-position="${index * 20}"]`);
    if (!found) throw new Error(`row ${index} is not rendered`);
    return found;
  });
}

/** The index of the row at the upper edge. */
const topRow = () => {
  const first = rowElements()[0];
  const moved = /translateY\((-?[\d.]+)px\)/.exec(first?.parentElement?.style.transform ?? "");
  return Number(first?.dataset.position) / 20 - Math.round(Number(moved?.[1] ?? 0) / 28);
};

async function press(keys: string) {
  lines().focus();
  await userEvent.keyboard(keys);
}

test("renders only the visible rows of a million", async () => {
  open(new FakeOutput(million));
  await row(0);
  expect(rowElements().length).toBeLessThan(60);
  expect(topRow()).toBe(0);
});

test("scrolls by keys and by wheel", async () => {
  open(new FakeOutput(million));
  await row(0);
  await press("{ArrowDown}{ArrowDown}");
  expect(topRow()).toBe(2);
  await press("{PageDown} ");
  expect(topRow()).toBe(2 + 19 * 2);
  await press("{PageUp}");
  expect(topRow()).toBe(21);
  fireEvent.wheel(lines(), { deltaY: 28 * 10 });
  expect(topRow()).toBe(31);
  fireEvent.wheel(lines(), { deltaY: 10, ctrlKey: true });
  fireEvent.wheel(lines(), { deltaX: 100, deltaY: 1 });
  expect(topRow(), "zoom and sideways scrolling are left alone").toBe(31);
  await press("{End}");
  await row(million - 1);
  expect(topRow()).toBe(million - 20);
  await press("{Home}");
  await row(0);
  expect(topRow()).toBe(0);
});

test("the scroll bar shows the position in bytes and jumps to a click", async () => {
  const output = new FakeOutput(million);
  open(output);
  await row(0);
  expect(scrollbar()).toHaveAttribute("aria-valuenow", "0");
  expect(scrollbar()).toHaveAttribute("aria-valuemax", String(output.size));
  expect(document.getElementById(scrollbar().getAttribute("aria-controls") ?? "")).toBe(lines());
  const box = { top: 0, height: 560, bottom: 560, left: 0, right: 10, width: 10, x: 0, y: 0 };
  vi.spyOn(scrollbar(), "getBoundingClientRect").mockReturnValue({ ...box, toJSON: () => box });
  fireEvent.pointerDown(scrollbar(), { button: 0, clientY: 280 });
  fireEvent.pointerUp(window);
  await row(500_000);
  await waitFor(() => expect(scrollbar()).toHaveAttribute("aria-valuetext", "50% of 20.0 MB"));
  await press("{End}");
  await waitFor(() => expect(scrollbar()).toHaveAttribute("aria-valuenow", String(output.size)));
});

test("a search lands exactly on the row, counts, and goes around", async () => {
  const output = new FakeOutput(million, (index) =>
    index % 100_000 === 7 ? { text: `the needle is here, ${index}` } : {},
  );
  open(output);
  await row(0);
  await press("{PageDown}");
  await userEvent.type(searchField(), "needle");
  expect(await screen.findByText("2 of 10")).toBeVisible();
  const found = await row(100_007);
  expect(found).toHaveAttribute("aria-current", "true");
  expect(found.querySelector("mark")).toHaveTextContent("needle");
  expect(topRow()).toBeLessThanOrEqual(100_007);
  expect(topRow()).toBeGreaterThan(100_007 - 20);
  await userEvent.keyboard("{Enter}");
  await row(200_007);
  expect(screen.getByText("3 of 10")).toBeVisible();
  await userEvent.keyboard("{Shift>}{Enter}{Enter}{/Shift}");
  await row(7);
  expect(screen.getByText("1 of 10")).toBeVisible();
  await press("{Shift>}{F3}{/Shift}");
  await row(900_007);
  expect(screen.getByText("10 of 10")).toBeVisible();
  expect(document.querySelector("[data-marks=matches]")?.getAttribute("d")).toMatch(/^M0 0.5H1/);
  await userEvent.click(screen.getByRole("button", { name: "Clear search" }));
  expect(lines()).toHaveFocus();
  expect(document.querySelector("mark")).toBeNull();
});

test("a bad expression is explained at the field", async () => {
  open(new FakeOutput(100));
  await row(0);
  await userEvent.click(screen.getByRole("button", { name: "Use regular expression" }));
  await userEvent.type(searchField(), "(");
  await waitFor(() =>
    expect(searchField()).toHaveAccessibleDescription("The expression has an open group."),
  );
  await userEvent.type(searchField(), "a)");
  await waitFor(() => expect(searchField()).not.toHaveAccessibleDescription());
});

test("goes from error to error", async () => {
  open(new FakeOutput(million, (at) => (at % 300_000 === 10 ? { text: `ERROR ${at}` } : {})));
  await row(0);
  const next = screen.getByRole("button", { name: "Next error" });
  await userEvent.click(next);
  expect(await row(10)).toHaveAttribute("aria-current", "true");
  await press("e");
  await waitFor(async () => expect(await row(300_010)).toHaveAttribute("aria-current", "true"));
  await press("{Shift>}E{/Shift}");
  await waitFor(async () => expect(await row(10)).toHaveAttribute("aria-current", "true"));
  await userEvent.click(screen.getByRole("button", { name: "Previous error" }));
  expect(await screen.findByText("No earlier errors")).toBeVisible();
});

test("a live output is followed until the person scrolls up", async () => {
  const output = new FakeOutput(1_000);
  output.ended = false;
  const { tell } = open(output, { follow: true });
  await row(999);
  const follow = screen.getByRole("button", { name: "Follow" });
  expect(follow).toHaveAttribute("aria-pressed", "true");
  output.total = 1_100;
  await tell({ change: "session", session: "s", run: "r" });
  await row(1_099);
  await press("{ArrowUp}");
  expect(follow).toHaveAttribute("aria-pressed", "false");
  const before = topRow();
  output.total = 1_300;
  await tell({ change: "session", session: "s", run: "r" });
  await waitFor(() => expect(scrollbar()).toHaveAttribute("aria-valuemax", String(output.size)));
  expect(topRow()).toBe(before);
  await userEvent.click(follow);
  await row(1_299);
  output.ended = true;
  await tell({ change: "session", session: "s", run: "r" });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Follow" })).toBeNull());
});

test("changes of other sessions read nothing", async () => {
  const { tell, inputsOf } = open(new FakeOutput(10));
  await row(0);
  const before = inputsOf("output_window").length;
  await tell({ change: "session", session: "other", run: "r" });
  expect(inputsOf("output_window")).toHaveLength(before);
});

test("line numbers appear once counted, and lead to lines", async () => {
  const output = new FakeOutput(million);
  const { tell } = open(output);
  await row(0);
  expect(screen.getAllByRole("button", { name: "Select line" })[0]).toHaveTextContent("");
  await press("{Control>}g{/Control}");
  expect(screen.getByPlaceholderText("Counting lines (100%)")).toHaveFocus();
  output.counted = true;
  output.total += 1;
  await tell({ change: "session", session: "s", run: "r" });
  await screen.findByRole("button", { name: "Select line 1" });
  const field = screen.getByRole("textbox", { name: "Go to line" });
  await userEvent.type(field, "0");
  expect(field).toHaveAccessibleDescription("Enter a line from 1 to 1,000,001.");
  await userEvent.clear(field);
  await userEvent.type(field, "700,000{Enter}");
  expect(await row(699_999)).toHaveAttribute("aria-current", "true");
  expect(lines()).toHaveFocus();
});

test("lines selected by their numbers are copied, however many they are", async () => {
  const output = new FakeOutput(million);
  output.counted = true;
  const { inputsOf } = open(output);
  const user = userEvent.setup();
  await row(0);
  await user.click(screen.getByRole("button", { name: "Select line 3" }));
  await press("{End}");
  await user.keyboard("{Shift>}");
  await user.click(await screen.findByRole("button", { name: "Select line 999,999" }));
  await user.keyboard("{/Shift}");
  await user.click(screen.getByRole("button", { name: "Copy output" }));
  await user.click(await screen.findByRole("menuitem", { name: "Copy selection with colors" }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("2-999999 colored"));
  expect(inputsOf("output_text")).toEqual([
    { session: "s", from: 2 * 20, to: 999_999 * 20, colors: true },
  ]);
});

test("too much to copy is offered as a download", async () => {
  const onDownload = vi.fn();
  const { inputsOf } = open(new FakeOutput(2 * million), { onDownload });
  const user = userEvent.setup();
  await row(0);
  await user.click(screen.getByRole("button", { name: "Copy output" }));
  expect(await screen.findByRole("menuitem", { name: /^Copy selection\s?Select/ })).toHaveAttribute(
    "data-disabled",
  );
  await user.click(screen.getByRole("menuitem", { name: "Copy everything" }));
  expect(inputsOf("output_text")).toEqual([]);
  const [toast] = useToasts.getState().toasts;
  expect(toast).toMatchObject({ title: "Couldn't copy 40.0 MB" });
  toast?.action?.onAct();
  expect(onDownload).toHaveBeenLastCalledWith("stdout");
  await user.click(screen.getByRole("button", { name: "Output files" }));
  await user.click(await screen.findByRole("menuitem", { name: "Download standard error" }));
  expect(onDownload).toHaveBeenCalledWith("stderr");
});

test("a selection by mouse is copied without line numbers and times", async () => {
  const output = new FakeOutput(100, (index) =>
    index === 3 ? { continued: true, text: "and its end" } : {},
  );
  output.counted = true;
  useAppState.setState({ ui: { output: { timestamps: true } } });
  open(output);
  const textOf = (element: HTMLElement) => element.querySelector("[data-text]")?.firstChild;
  const [from, to] = [textOf(await row(1)), textOf(await row(4))];
  if (!from || !to) throw new Error("the rows have text");
  window.getSelection()?.setBaseAndExtent(from, 2, to, 3);
  const setData = vi.fn();
  const event = createEvent.copy(lines(), { clipboardData: { setData } });
  fireEvent(lines(), event);
  expect(setData).toHaveBeenCalledWith("text/plain", "w 1\nrow 2and its end\nrow");
  expect(event.defaultPrevented).toBe(true);
  window.getSelection()?.removeAllRanges();
});

test("Ctrl+A selects the output only from within it, and Ctrl+C copies it", async () => {
  // Provides a clipboard.
  userEvent.setup();
  open(new FakeOutput(100));
  await row(0);
  const outside = createEvent.keyDown(document.body, { key: "a", ctrlKey: true });
  fireEvent(document.body, outside);
  expect(outside.defaultPrevented).toBe(false);
  const inside = createEvent.keyDown(lines(), { key: "a", ctrlKey: true });
  fireEvent(lines(), inside);
  expect(inside.defaultPrevented).toBe(true);
  fireEvent.keyDown(lines(), { key: "c", ctrlKey: true });
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("0-100"));
  fireEvent.keyDown(lines(), { key: "Escape" });
  const nothing = createEvent.keyDown(lines(), { key: "c", ctrlKey: true });
  fireEvent(lines(), nothing);
  expect(nothing.defaultPrevented).toBe(false);
});

test("view options are remembered", async () => {
  open(new FakeOutput(100, (index) => ({ atMs: 65_012 + index })));
  const user = userEvent.setup();
  const first = await row(0);
  expect(first.querySelector("time")).toBeNull();
  for (const option of ["Timestamps", "Wrap long lines", "Line numbers"]) {
    await user.click(screen.getByRole("button", { name: "View options" }));
    await user.click(await screen.findByRole("menuitemcheckbox", { name: option }));
  }
  expect(first.querySelector("time")).toHaveTextContent("1m 05.012s");
  expect(first.querySelector("[data-text]")).toHaveClass("whitespace-pre-wrap");
  expect(screen.queryByRole("button", { name: /^Select line/ })).toBeNull();
  expect(useAppState.getState().ui.output).toEqual({
    wrap: true,
    timestamps: true,
    lineNumbers: false,
  });
});

test("standard error is marked and named, and links open only what they may", async () => {
  const onOpenPath = vi.fn();
  const link = (address: string) => [{ start: 0, end: 5, style: { link: address } }];
  const texts = [
    { text: "first at src/a.rs:42:7", styles: link("https://a.example/x") },
    { text: "other", styles: link("javascript:alert(1)") },
    { text: "<b>no</b> see http://b.example.", stream: "stderr" as const },
  ];
  open(new FakeOutput(3, (index) => texts[index] ?? {}), { onOpenPath });
  const stderr = await row(2);
  expect(stderr).toHaveTextContent("Standard error:");
  expect(stderr).toHaveTextContent("<b>no</b>");
  expect(stderr.querySelector("b")).toBeNull();
  const links = screen.getAllByRole("link");
  expect(links.map((each) => each.getAttribute("href"))).toEqual([
    "https://a.example/x",
    null,
    "http://b.example",
  ]);
  expect(links[0]).toHaveAttribute("rel", "noreferrer noopener");
  await userEvent.click(screen.getByRole("link", { name: "src/a.rs:42:7" }));
  expect(onOpenPath).toHaveBeenCalledWith({ path: "src/a.rs", line: 42, column: 7 });
});

test("a jump shows the old rows first, then a skeleton, and then the new ones", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const output = new FakeOutput(million);
  const { backend } = open(output);
  await row(0);
  const call = backend.call;
  let release = () => {};
  backend.call = (async (name: "output_window" | "output_line_count", input: never) => {
    if (name !== "output_window") return call(name, input);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return call(name, input);
  }) as typeof call;
  await act(async () => fireEvent.keyDown(lines(), { key: "End" }));
  expect(screen.queryByText("Loading output…")).toBeNull();
  expect(topRow()).toBe(0);
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(screen.getByText("Loading output…")).toBeInTheDocument();
  vi.useRealTimers();
  await act(async () => release());
  await row(million - 1);
  expect(screen.queryByText("Loading output…")).toBeNull();
});

test("no output, a failure, and a retry", async () => {
  const output = new FakeOutput(0);
  const { backend } = open(output);
  expect(await screen.findByText("No output")).toBeVisible();
  const failing = fakeBackend({
    output_window: () => Promise.reject(new ApiError("not_found", "The files are gone.")),
  });
  renderAtPath(failing.backend, <OutputView session="t" />);
  expect(await screen.findByText("The files are gone.")).toBeVisible();
  failing.backend.call = backend.call;
  output.total = 5;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await row(4);
});

test("has no accessibility faults", async () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  const output = new FakeOutput(1_000, (at) => ({ stream: at % 2 ? "stderr" : "stdout" }));
  output.counted = true;
  open(output, { onOpenPath: () => {}, onDownload: () => {}, onOpenFile: () => {} });
  await row(0);
  await userEvent.type(searchField(), "row 5");
  await screen.findByText("1 of 111");
  // Color contrast is checked by the design's own test.
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, help }) => `${id}: ${help}`)).toEqual([]);
});
