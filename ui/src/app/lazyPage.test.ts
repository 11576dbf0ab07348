import { expect, test, vi } from "vitest";
import { lazyPage, PageLoadError, preloadPages } from "./lazyPage";

const Page = () => null;
const idle = () => Promise.resolve();

test("a page that can't be loaded says so, and is loaded when it is opened again", async () => {
  const load = vi
    .fn<() => Promise<{ Page: typeof Page }>>()
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockResolvedValue({ Page });
  const open = lazyPage(load, "Page");
  await expect(open()).rejects.toThrow(new PageLoadError("Failed to fetch"));
  await expect(open()).resolves.toEqual({ Component: Page });
});

test("pages are loaded one after another, even after one that fails", async () => {
  const begun: string[] = [];
  let finish = () => {};
  const slow = () => {
    begun.push("slow");
    return new Promise<void>((done) => {
      finish = done;
    });
  };
  const failing = async () => {
    begun.push("failing");
    throw new TypeError("Failed to fetch");
  };
  const last = async () => {
    begun.push("last");
  };
  preloadPages(idle, [slow, failing, last]);
  await vi.waitFor(() => expect(begun).toEqual(["slow"]));
  finish();
  await vi.waitFor(() => expect(begun).toEqual(["slow", "failing", "last"]));
});

test("nothing more is loaded once it is stopped", async () => {
  const load = vi.fn(async () => undefined);
  const stop = preloadPages(idle, [load]);
  stop();
  await idle();
  await idle();
  expect(load).not.toHaveBeenCalled();
});
