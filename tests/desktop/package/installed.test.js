/**
 * Installs, uses and removes the package in `BATON_TEST_DEB`.
 *
 * Without permission to install, the package is only unpacked, and the test says so; its programs are the same.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const deb = process.env.BATON_TEST_DEB;
assert.ok(deb, "BATON_TEST_DEB names the package; cargo xtask test --only package makes one");

/** The command prefix to run something as root; `undefined` if that is not possible. */
const asRoot = await rootCommand();
/** The root of the package's files: `/`, or the folder where it was unpacked. */
const packageRoot = asRoot ? "/" : await mkdtemp(path.join(tmpdir(), "baton-unpacked-"));
const at = (file) => path.join(packageRoot, file);
const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };

/** @type {string[]} */
let files = [];

before(async () => {
  files = await filesOf(deb);
  if (asRoot) {
    const words = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=120", "install", "-y"];
    await runAsRoot([
      ...words,
      "--no-install-recommends",
      "--reinstall",
      "--allow-downgrades",
      deb,
    ]);
  } else {
    console.log("not installed but only unpacked: this needs root, or sudo without a password");
    await run("dpkg-deb", ["--extract", deb, packageRoot]);
  }
  // Journeys read this when they are imported.
  process.env.BATON_TEST_PROGRAMS = at("usr/bin");
});

after(async () => {
  if (!asRoot) await rm(packageRoot, { recursive: true, force: true });
});

test("every program starts, and the shell prints its version", async () => {
  const { stdout } = await run(at("usr/bin/baton"), ["--version"]);
  const [, version] = path.basename(deb).split("_");
  assert.match(stdout, new RegExp(`\\b${version.replaceAll(".", "\\.")}\\b`));
  for (const program of ["baton", "baton-keeper", "baton-tool", "baton-desktop"]) {
    const { mode } = await stat(at(`usr/bin/${program}`));
    assert.equal(mode & 0o7777, 0o755, program);
    const { stdout: libraries } = await run("ldd", [at(`usr/bin/${program}`)]);
    assert.doesNotMatch(libraries, /not found/, program);
  }
  // Without arguments these two only exit with an error code. A later test starts the window.
  for (const program of ["baton-keeper", "baton-tool"]) {
    const outcome = await run(at(`usr/bin/${program}`), [], { timeout: 20_000 }).then(
      () => ({ code: 0 }),
      (error) => error,
    );
    assert.equal(outcome.code, 2, `${program}: ${outcome.message ?? "ended without an error"}`);
  }
});

test("the notices list the dependencies of the programs and the interface", async () => {
  const { stdout } = await run(at("usr/bin/baton"), ["licenses"], { maxBuffer: 16 * 1024 * 1024 });
  const notices = await readFile(at("usr/share/doc/baton/THIRD-PARTY-NOTICES.txt"), "utf8");
  assert.equal(stdout, notices);
  for (const name of ["tauri", "rusqlite", "react", "@fontsource-variable/inter", "tailwindcss"])
    assert.match(notices, new RegExp(`^${name} \\d`, "m"));
  assert.match(await readFile(at("usr/share/doc/baton/copyright"), "utf8"), /Apache License/);
});

test("plan files and links are registered with the desktop", async () => {
  const entry = await readFile(at("usr/share/applications/Baton.desktop"), "utf8");
  const line = (name) => entry.match(new RegExp(`^${name}=(.*)$`, "m"))?.[1];
  assert.equal(line("Exec"), "baton-desktop %U");
  const kinds = line("MimeType")?.split(";") ?? [];
  assert.ok(kinds.includes("application/vnd.baton.plan+yaml"), `${kinds}`);
  assert.ok(kinds.includes("x-scheme-handler/baton"), `${kinds}`);
  for (const size of [16, 32, 48, 64, 128, 256])
    assert.ok(existsSync(at(`usr/share/icons/hicolor/${size}x${size}/apps/${line("Icon")}.png`)));
  const known = await readFile(at("usr/share/mime/packages/baton.xml"), "utf8");
  assert.match(known, /glob pattern="\*\.baton\.yaml"/);
});

test("a person works with the installed window", async () => {
  // Imported here, because it reads the variable on import.
  const { runFirstUse } = await import("./support/firstUse.js");
  await runFirstUse();
});

const skip = asRoot ? false : "only root, or sudo without a password, can remove a package";
test("removing the package leaves no file behind", { skip }, async () => {
  const installed = files.filter((file) => existsSync(at(file)));
  assert.deepEqual(installed, files, "all files exist before");
  await runAsRoot(["apt-get", "-q", "-o", "DPkg::Lock::Timeout=120", "purge", "-y", "baton"]);
  assert.ok(files.length > 5, "the package has files");
  const left = files.filter((file) => existsSync(at(file)));
  assert.deepEqual(left, []);
});

/** The files of a package, without its folders. */
async function filesOf(archive) {
  const { stdout } = await run("dpkg-deb", ["--contents", archive]);
  const lines = stdout.split("\n").filter((line) => line.startsWith("-"));
  const paths = lines.map((line) => line.split(/\s+/).slice(5).join(" "));
  return paths.map((each) => path.join("/", each));
}

async function rootCommand() {
  if (process.getuid?.() === 0) return [];
  const may = await run("sudo", ["-n", "true"]).then(
    () => true,
    () => false,
  );
  return may ? ["sudo", "-n"] : undefined;
}

async function runAsRoot(words) {
  const [program, ...rest] = [...(asRoot ?? []), ...words];
  await run(program, rest, { env: environment, maxBuffer: 64 * 1024 * 1024 });
}
