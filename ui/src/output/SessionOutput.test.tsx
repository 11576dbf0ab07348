import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Desktop } from "@/api/Backend";
import { useToasts } from "@/components/toasts";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { FakeOutput } from "./outputFixture";
import { SessionOutput } from "./SessionOutput";

beforeEach(() => {
  mockElementSizes();
  useToasts.setState({ toasts: [] });
});
afterEach(() => vi.restoreAllMocks());

function open(isDesktop: boolean) {
  const output = new FakeOutput(3, () => ({ text: "at src/a.rs:4:2" }));
  const fake = fakeBackend({
    output_window: ({ session: _, ...range }) => output.window(range),
    session_file_open: () => ({ program: null }),
  });
  if (isDesktop) fake.backend.desktop = {} as Desktop;
  const save = vi.spyOn(fake.backend, "saveSessionOutput").mockResolvedValue("/home/ada/out.log");
  renderAtPath(fake.backend, <SessionOutput session="s" startedAt={0} />);
  return { ...fake, save };
}

async function choose(item: string) {
  await userEvent.click(screen.getByRole("button", { name: "Output files" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

const titles = () => useToasts.getState().toasts.map(({ title }) => title);

test("the raw output can be downloaded", async () => {
  const { save } = open(false);
  await choose("Download standard error");
  expect(save).toHaveBeenCalledWith("s", "stderr", { name: "stderr.log" });
  await waitFor(() => expect(titles()).toEqual(["Output downloaded"]));
  save.mockRejectedValue(new ApiError("internal", "The disk is full."));
  await choose("Download standard output");
  await waitFor(() => expect(titles()).toContain("Couldn't download the output"));
});

test("only the desktop app opens the raw file", async () => {
  open(false);
  await userEvent.click(screen.getByRole("button", { name: "Output files" }));
  await screen.findByRole("menuitem", { name: "Download standard output" });
  expect(screen.queryByRole("menuitem", { name: "Open raw file" })).toBeNull();
});

test("the raw file opens in an editor, or it says why not", async () => {
  const { inputsOf } = open(true);
  await choose("Open raw file");
  expect(inputsOf("session_file_open")).toEqual([
    { session: "s", target: { kind: "output", stream: "stdout" } },
  ]);
  await waitFor(() => expect(titles()).toEqual(["Couldn't open the raw file"]));
});

test("a place in a file opens", async () => {
  const { inputsOf } = open(true);
  const [link] = await screen.findAllByRole("link", { name: "src/a.rs:4:2" });
  if (link) await userEvent.click(link);
  expect(inputsOf("session_file_open")).toEqual([
    { session: "s", target: { kind: "file", path: "src/a.rs", line: 4, column: 2 } },
  ]);
});
