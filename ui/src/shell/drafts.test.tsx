import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { draftNames, openDrafts, readDraft, removeDraft, writeDraft } from "./drafts";
import { useTextDraft } from "./useTextDraft";

beforeEach(() => {
  localStorage.clear();
  openDrafts("one");
});

test("a draft is kept until it is removed", () => {
  expect(writeDraft("answer/1", "Harbor", 5)).toBe(true);
  expect(readDraft("answer/1")).toEqual({ at: 5, value: "Harbor" });
  removeDraft("answer/1");
  expect(readDraft("answer/1")).toBeUndefined();
});

test("data directories don't see each other's drafts", () => {
  writeDraft("answer", "mine");
  openDrafts("two");
  expect(readDraft("answer")).toBeUndefined();
  expect(draftNames("")).toEqual([]);
  openDrafts("one");
  expect(draftNames("ans")).toEqual(["answer"]);
});

test("a draft that is too long, or finds no room, leaves no older one behind", () => {
  writeDraft("plan", "old");
  expect(writeDraft("plan", "x".repeat(2_600_000))).toBe(false);
  expect(readDraft("plan")).toBeUndefined();

  writeDraft("plan", "old");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(writeDraft("plan", "new")).toBe(false);
  full.mockRestore();
  expect(readDraft("plan")).toBeUndefined();
});

test("old and unreadable drafts are removed at the start", () => {
  const day = 24 * 3_600_000;
  writeDraft("old", "a", 0);
  writeDraft("recent", "b", 29 * day);
  localStorage.setItem("baton.draft.one/broken", "{");
  localStorage.setItem("baton.theme", "dark");
  openDrafts("one", 31 * day);
  expect(draftNames("")).toEqual(["recent"]);
  expect(localStorage.getItem("baton.theme")).toBe("dark");
});

test("a typed text is there again after a reload, until it was sent", () => {
  const first = renderHook(() => useTextDraft("answer/7"));
  act(() => first.result.current[1]("Harbor"));
  first.unmount();
  const second = renderHook(() => useTextDraft("answer/7"));
  expect(second.result.current[0]).toBe("Harbor");
  removeDraft("answer/7");
  expect(renderHook(() => useTextDraft("answer/7")).result.current[0]).toBe("");
});

test("a text that replaces a stored one is kept while it differs", () => {
  const { result } = renderHook(() => useTextDraft("note/1", "Ask Ann"));
  expect(result.current[0]).toBe("Ask Ann");
  act(() => result.current[1](""));
  expect(result.current[0]).toBe("");
  expect(readDraft("note/1")?.value).toEqual({ text: "", base: "Ask Ann" });
  act(() => result.current[1]("Ask Ann"));
  expect(readDraft("note/1")).toBeUndefined();
  act(() => result.current[1]("Ask Bob"));
  act(() => result.current[2]());
  expect(result.current[0]).toBe("Ask Ann");
  expect(draftNames("")).toEqual([]);
});

test("a kept text keeps the stored one that it was typed over", () => {
  const shown = (stored: string) => renderHook(() => useTextDraft("note/1", stored)).result;
  const typed = shown("Ask Ann");
  act(() => typed.current[1]("Ask Bob"));
  expect(typed.current[3]).toBe(false);
  const later = shown("Ask Eve");
  expect([later.current[0], later.current[3]]).toEqual(["Ask Bob", true]);
  act(() => later.current[1]("Ask Bob now"));
  expect(shown("Ask Ann").current[3]).toBe(false);
  expect(shown("Ask Bob now").current[3], "it is what is stored").toBe(false);
});

test("a value of another shape is no text", () => {
  writeDraft("answer/7", { text: "x" });
  expect(renderHook(() => useTextDraft("answer/7")).result.current[0]).toBe("");
});
