/** The machine's chromium, without background traffic. */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** @param {string[]} [more] further switches */
export function launch(more = []) {
  return chromium.launch({
    executablePath: process.env.BATON_TEST_BROWSER ?? onPath(),
    args: [
      "--no-sandbox", // Chromium's sandbox doesn't work as root, and CI runs as root.
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
}

function onPath() {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const found = files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`no browser on the search path: ${names.join(", ")}`);
  return found;
}
