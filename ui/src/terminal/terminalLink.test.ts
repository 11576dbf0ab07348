import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { BackendEvent } from "@/api/Backend";
import type { TerminalInput } from "@/api/bindings";
import { bytesFromBase64, bytesToBase64 } from "./bytes";
import { type LinkState, TerminalLink } from "./terminalLink";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A terminal in a backend that can be disconnected, and a display that notes what it is given. */
function open(atFirst?: ApiError) {
  let printed = encode("");
  let kept = 0;
  let readTo = 0;
  let failure = atFirst;
  const listeners = new Set<(signal: BackendEvent) => void>();
  const inputs: TerminalInput[] = [];
  const shown: string[] = [];
  const states: LinkState[] = [];
  const lost: string[] = [];
  const answerInput: (() => void)[] = [];
  let holdsInput = false;

  const call = vi.fn(async (name: string, input: unknown) => {
    if (failure) throw failure;
    if (name === "terminal_input") {
      inputs.push(input as TerminalInput);
      if (holdsInput) await new Promise<void>((resolve) => answerInput.push(resolve));
      if (failure) throw failure;
      return { written: true };
    }
    const { after } = input as { after: number };
    const from = Math.max(after, kept);
    const bytes = printed.slice(from, from + 8);
    const alreadyRead = Math.min(Math.max(readTo - from, 0), bytes.length);
    readTo = Math.max(readTo, from + bytes.length);
    return { from, base64: bytesToBase64(bytes), end: printed.length, alreadyRead };
  });
  const tell = (event: BackendEvent) => {
    for (const listener of listeners) listener(event);
  };
  const link = new TerminalLink({
    backend: {
      call: call as never,
      events: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    terminal: "t",
    display: {
      write: async (bytes, replayed) => {
        shown.push(`${replayed ? "again " : ""}${decode(bytes)}`);
      },
      reset: () => void shown.push("reset"),
    },
    onState: (state) => states.push(state),
    onInputLost: (reason) => lost.push(reason),
    retryMs: 1,
  });
  return {
    ...{ link, call, inputs, shown, states, lost, tell },
    print: (text: string) => {
      printed = encode(decode(printed) + text);
    },
    forget: (bytes: number) => {
      kept = bytes;
    },
    changed: () => tell({ kind: "event", event: { change: "terminal", terminal: "t" } }),
    fail: (error: ApiError | undefined) => {
      failure = error;
    },
    holdInput: () => {
      holdsInput = true;
    },
    releaseInput: () => {
      holdsInput = false;
      for (const answer of answerInput) answer();
    },
    typed: () => inputs.map(({ base64 }) => decode(bytesFromBase64(base64))),
  };
}

const offline = new ApiError("offline", "Baton doesn't answer.");

test("output is read in parts, and again whenever the terminal changes", async () => {
  const { print, shown, changed, tell, call } = open();
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1));
  print("hello wide world");
  changed();
  await vi.waitFor(() => expect(shown).toEqual(["hello wi", "de world"]));
  const before = call.mock.calls.length;
  tell({ kind: "event", event: { change: "terminal", terminal: "other" } });
  tell({ kind: "event", event: { change: "settings" } });
  expect(call.mock.calls.length).toBe(before);
  print("!");
  tell({ kind: "gap" });
  await vi.waitFor(() => expect(shown.at(-1)).toBe("!"));
});

test("output that some page has read is replayed without answers to its queries", async () => {
  const first = open();
  first.print("abc");
  first.changed();
  await vi.waitFor(() => expect(first.shown).toEqual(["abc"]));
  first.link.close();
  const { backend, display } = { backend: first, display: first.shown };
  const again = new TerminalLink({
    backend: { call: backend.call as never, events: () => () => undefined },
    terminal: "t",
    display: {
      write: async (bytes, replayed) => {
        display.push(`${replayed ? "again " : ""}${decode(bytes)}`);
      },
      reset: () => undefined,
    },
    onState: () => undefined,
    onInputLost: () => undefined,
  });
  await vi.waitFor(() => expect(first.shown).toEqual(["abc", "again abc"]));
  again.close();
});

test("lost output clears the display", async () => {
  const { print, forget, shown, changed } = open();
  print("0123456789abcdef");
  forget(10);
  changed();
  await vi.waitFor(() => expect(shown).toEqual(["reset", "abcdef"]));
});

test("input is numbered, in order, and joined while one is on its way", async () => {
  const { link, inputs, typed, states, holdInput, releaseInput } = open();
  await vi.waitFor(() => expect(states).toEqual(["connected"]));
  holdInput();
  link.type(encode("a"));
  link.type(encode("b"));
  link.type(encode("c"));
  await vi.waitFor(() => expect(typed()).toEqual(["a"]));
  releaseInput();
  await vi.waitFor(() => expect(typed()).toEqual(["a", "bc"]));
  expect(inputs.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(new Set(inputs.map(({ writer }) => writer)).size).toBe(1);
});

test("what is typed while a terminal opens is sent once it is connected", async () => {
  const { link, inputs, states } = open();
  link.type(encode("l"));
  link.type(encode("s"));
  expect(inputs).toEqual([]);
  await vi.waitFor(() => expect(inputs).toHaveLength(1));
  expect(decode(bytesFromBase64(inputs[0]?.base64 ?? ""))).toBe("ls");
  expect(states).toEqual(["connected"]);
});

test("what is typed while a terminal opens is dropped if it can't be reached", async () => {
  const { link, inputs, states, fail } = open(offline);
  link.type(encode("rm"));
  await vi.waitFor(() => expect(states).toEqual(["waiting"]));
  fail(undefined);
  await vi.waitFor(() => expect(states).toEqual(["waiting", "connected"]));
  link.type(encode("ls"));
  await vi.waitFor(() => expect(inputs).toHaveLength(1));
  expect(decode(bytesFromBase64(inputs[0]?.base64 ?? ""))).toBe("ls");
});

test("a long paste is sent in inputs that the backend accepts", async () => {
  const { link, inputs, typed, states } = open();
  await vi.waitFor(() => expect(states).toEqual(["connected"]));
  const long = "x".repeat(100_000);
  link.type(encode(long));
  await vi.waitFor(() => expect(typed().join("")).toBe(long));
  for (const { base64 } of inputs)
    expect(bytesFromBase64(base64).length).toBeLessThanOrEqual(64 * 1024);
});

test("no input is sent again after the connection was lost", async () => {
  const { link, typed, states, lost, fail, print, shown, holdInput, releaseInput } = open();
  await vi.waitFor(() => expect(states).toEqual(["connected"]));
  holdInput();
  link.type(encode("rm a\r"));
  await vi.waitFor(() => expect(typed()).toEqual(["rm a\r"]));
  link.type(encode("rm b\r"));
  fail(offline);
  releaseInput();
  await vi.waitFor(() => expect(states).toEqual(["connected", "waiting"]));
  expect(lost).toEqual([offline.message]);
  link.type(encode("rm c\r"));
  print("back");
  fail(undefined);
  await vi.waitFor(() => expect(states).toEqual(["connected", "waiting", "connected"]));
  await vi.waitFor(() => expect(shown).toEqual(["back"]));
  expect(typed()).toEqual(["rm a\r"]);
  link.type(encode("ls\r"));
  await vi.waitFor(() => expect(typed()).toEqual(["rm a\r", "ls\r"]));
});

test("a terminal that is gone is not read again", async () => {
  const { states, call, changed, fail } = open();
  await vi.waitFor(() => expect(states).toEqual(["connected"]));
  fail(new ApiError("not_found", "The terminal doesn't exist any more."));
  changed();
  await vi.waitFor(() => expect(states).toEqual(["connected", "gone"]));
  const before = call.mock.calls.length;
  changed();
  expect(call.mock.calls.length).toBe(before);
});
