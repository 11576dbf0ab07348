import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { journey } from "./support/journey.js";

const fixtures = path.join(import.meta.dirname, "../fixtures/updates");

/**
 * Serves one release in the updater's format.
 *
 * @param {{ version: string, bytes: Buffer }} release
 */
async function serveRelease({ version, bytes }) {
  const signature = await readFile(path.join(fixtures, "Baton.AppImage.sig"), "utf8");
  const server = createServer((request, response) => {
    if (request.url === "/Baton.AppImage") return response.end(bytes);
    const url = `http://127.0.0.1:${server.address().port}/Baton.AppImage`;
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        version,
        notes: "- Faster starts",
        platforms: {
          "linux-x86_64": { signature, url },
          "linux-aarch64": { signature, url },
        },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/**
 * Opens the window as an AppImage, with updates from a server with `release`. `appImage` is its
 * file.
 */
function updateJourney(name, release, body) {
  journey(name, async (given) => {
    const appImage = path.join(given.folder, "Baton.AppImage");
    await writeFile(appImage, "the version that runs", { mode: 0o755 });
    const bytes = await readFile(path.join(fixtures, "Baton.AppImage"));
    const server = await serveRelease(release(bytes));
    const before = { ...process.env };
    Object.assign(process.env, {
      APPIMAGE: appImage,
      BATON_UPDATE_URL: `http://127.0.0.1:${server.address().port}/latest.json`,
      BATON_UPDATE_KEY: await readFile(path.join(fixtures, "key.pub"), "utf8"),
    });
    try {
      await body(await given.open(), { appImage, bytes });
    } finally {
      for (const variable of ["APPIMAGE", "BATON_UPDATE_URL", "BATON_UPDATE_KEY"]) {
        if (before[variable] === undefined) delete process.env[variable];
        else process.env[variable] = before[variable];
      }
      server.close();
    }
  });
}

updateJourney(
  "the window offers an update, shows what is new, and installs it",
  (bytes) => ({ version: "99.0.0", bytes }),
  async (window, { appImage, bytes }) => {
    await window.text("Baton 99.0.0 is available");
    await window.click("button", "What's new");
    await window.text("Faster starts");
    await window.click("button", "Close");
    await window.click("button", "Install");
    await window.text("Baton 99.0.0 is installed. Restart to use it.");
    await window.get("button", "Restart Baton");
    await window.screenshot("update-installed");
    assert.deepEqual(await readFile(appImage), bytes);
  },
);

updateJourney(
  "an update that was changed after it was signed is not installed",
  (bytes) => ({ version: "99.0.0", bytes: Buffer.concat([bytes, Buffer.from("!")]) }),
  async (window, { appImage }) => {
    await window.click("button", "Install");
    await window.text("signature doesn't match, so it wasn't installed");
    assert.equal(await readFile(appImage, "utf8"), "the version that runs");
  },
);

updateJourney(
  "an old update with a new version number is not installed",
  (bytes) => ({ version: "99.1.0", bytes }),
  async (window, { appImage }) => {
    await window.click("button", "Install");
    await window.text("signature doesn't match, so it wasn't installed");
    assert.equal(await readFile(appImage, "utf8"), "the version that runs");
  },
);

journey("a window that is not a release build does not check for updates", async ({ open }) => {
  const window = await open();
  await window.click("link", "Settings");
  await window.text("This build doesn't check for updates.");
});
