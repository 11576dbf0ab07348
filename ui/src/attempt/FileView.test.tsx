import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { FileContent, SessionFile, SessionFileOpened } from "@/api/bindings";
import { useToasts } from "@/components/toasts";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import type { FilePlace } from "./filePlace";
import { useFilePlaces } from "./useFilePlaces";

// CodeMirror measures its text, which jsdom can't.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

beforeEach(() => useToasts.setState({ toasts: [] }));

const desktop: NonNullable<Backend["desktop"]> = {
  onOpenRequest: () => () => {},
  onCloseRequest: () => () => {},
  answerCloseRequest: async () => {},
  openDataFolder: async () => {},
};

function text(lines: string[], more: Partial<FileContent> = {}): FileContent {
  return {
    kind: "text",
    text: lines.map((line) => `${line}\n`).join(""),
    firstLine: 1,
    totalLines: lines.length,
    truncated: false,
    ...more,
  } as FileContent;
}

interface Scene {
  content?: FileContent | ApiError;
  place?: FilePlace;
  inWindow?: boolean;
  opened?: SessionFileOpened | ApiError;
}

function Opener({ place }: { place: FilePlace }) {
  const { openPath, view } = useFilePlaces("session");
  return (
    <>
      <button type="button" onClick={() => openPath(place)}>
        Press
      </button>
      {view}
    </>
  );
}

/** Renders a file place and presses it. */
async function press(scene: Scene) {
  const { content = text(["one", "two"]), inWindow = false, opened = { program: "Zed" } } = scene;
  const { place = { path: "src/main.rs", line: 2, column: 7 } } = scene;
  const { backend, inputsOf } = fakeBackend({
    session_file: (): SessionFile => {
      if (content instanceof ApiError) throw content;
      return { path: "/work/src/main.rs", relativePath: "src/main.rs", bytes: 8, content };
    },
    session_file_open: () => {
      if (opened instanceof ApiError) throw opened;
      return opened;
    },
  });
  renderAtPath({ ...backend, ...(inWindow && { desktop }) }, <Opener place={place} />);
  await userEvent.click(screen.getByRole("button", { name: "Press" }));
  return { inputsOf };
}

const dialog = () => screen.findByRole("dialog", { name: "main.rs" });
const currentLine = () => document.querySelector(".cm-line[aria-current]")?.textContent;

test("in a browser a press shows the file with its line", async () => {
  const { inputsOf } = await press({});
  expect(await dialog()).toBeVisible();
  await waitFor(() => expect(currentLine()).toBe("two"));
  expect(inputsOf("session_file")).toEqual([{ session: "session", path: "src/main.rs", line: 2 }]);
  expect(inputsOf("session_file_open")).toEqual([]);
  expect(screen.getByTitle("/work/src/main.rs")).toHaveTextContent("src/main.rs");
  expect(screen.getByRole("textbox", { name: "File content" })).toHaveAttribute(
    "aria-readonly",
    "true",
  );
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("lines keep their numbers in a part of a large file", async () => {
  const part = text(["a", "b\r", "c"], { firstLine: 500, totalLines: null, truncated: true });
  await press({ content: part, place: { path: "src/main.rs", line: 501 } });
  await waitFor(() => expect(currentLine()).toBe("b"));
  expect(screen.getByText("501")).toBeInTheDocument();
  expect(screen.getByText(/from line 500/)).toBeVisible();
});

test("a line beyond the end is said to be gone", async () => {
  await press({ place: { path: "src/main.rs", line: 90 } });
  expect(await screen.findByText(/no line 90 anymore. It ends with line 2/)).toBeVisible();
  await waitFor(() => expect(currentLine()).toBe("two"));
});

test("images are shown, binary files are not", async () => {
  await press({ content: { kind: "image", mediaType: "image/png", base64: "AAAA" } });
  expect(await screen.findByRole("img", { name: "src/main.rs" })).toHaveAttribute(
    "src",
    "data:image/png;base64,AAAA",
  );
});

test("a binary file says that it can't be shown", async () => {
  await press({ content: { kind: "binary" } });
  expect(await screen.findByText(/neither text nor a picture/)).toBeVisible();
});

test("markup in a file stays text", async () => {
  await press({ content: text(["<img src=x onerror=alert(1)>"]), place: { path: "a/main.rs" } });
  const dialog = await screen.findByRole("dialog");
  // Once it has colors, its words are elements of their own.
  await waitFor(() => expect(dialog).toHaveTextContent("<img src=x onerror=alert(1)>"));
  expect(screen.queryByRole("img")).toBeNull();
});

test("an error is shown in place, with its fix", async () => {
  const gone = new ApiError("not_found", "The file 'src/main.rs' doesn't exist.", {
    fix: "It may have been moved.",
  });
  await press({ content: gone });
  expect(await screen.findByRole("alert")).toHaveTextContent("It may have been moved.");
});

test("in the window a press opens the editor", async () => {
  const { inputsOf } = await press({ inWindow: true });
  const target = { kind: "file", path: "src/main.rs", line: 2, column: 7 };
  expect(inputsOf("session_file_open")).toEqual([{ session: "session", target }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("without an editor the window shows the file", async () => {
  await press({ inWindow: true, opened: { program: null } });
  expect(await dialog()).toBeVisible();
  expect(useToasts.getState().toasts).toEqual([]);
});

test("a failing editor is reported, and the file is shown", async () => {
  const failed = new ApiError("refused", "Zed can't be started.", { fix: "Install it." });
  await press({ inWindow: true, opened: failed });
  expect(await dialog()).toBeVisible();
  expect(useToasts.getState().toasts).toMatchObject([
    { kind: "error", detail: "Zed can't be started. Install it." },
  ]);
});

test("the view opens the editor and copies the path", async () => {
  const user = userEvent.setup();
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const { inputsOf } = await press({ opened: { program: null } });
  await user.click(await screen.findByRole("button", { name: "Copy path" }));
  await waitFor(() => expect(copy).toHaveBeenLastCalledWith("/work/src/main.rs"));
  await user.click(screen.getByRole("button", { name: "Open in editor" }));
  await waitFor(() => expect(inputsOf("session_file_open")).toHaveLength(1));
  expect(useToasts.getState().toasts[0]?.detail).toContain("Settings → Editor");
});

test("the text has the colors of its language, at the right places", async () => {
  await press({ content: text(['// a "comment"', "fn main() {}"]) });
  await waitFor(() => expect(document.querySelector(".code-comment")).not.toBeNull());
  const colored = (kind: string) =>
    [...document.querySelectorAll(`.cm-line .code-${kind}`)].map(({ textContent }) => textContent);
  expect(colored("comment")).toEqual(['// a "comment"']);
  expect(colored("keyword")).toEqual(["fn"]);
});

test("the folder of the session can be opened", async () => {
  const { inputsOf } = await press({ content: { kind: "binary" } });
  await userEvent.click(await screen.findByRole("button", { name: "Open folder" }));
  expect(inputsOf("session_file_open")).toEqual([
    { session: "session", target: { kind: "folder" } },
  ]);
});
