/** A pager on a terminal, for comparison. */
import { spawn } from "node:child_process";

const timeoutMs = 120_000;

/**
 * Returns the milliseconds from the start of `less -R` until its screen has a text.
 *
 * @param {string} file
 * @param {string[]} options
 * @param {string} wanted without colors in it
 */
export async function timeOfLess(file, options, wanted) {
  const command = ["less", "-R", ...options, file].map(quoted).join(" ");
  const begun = performance.now();
  // `script` gives it a terminal. It reads keys from there, so its input stays open.
  const pager = spawn("script", ["--quiet", "--command", command, "/dev/null"], {
    env: {
      ...process.env,
      TERM: "xterm-256color",
      LINES: "50",
      COLUMNS: "160",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  try {
    await shows(pager, wanted);
    return performance.now() - begun;
  } finally {
    pager.stdin.write("q");
    pager.kill();
  }
}

/**
 * @param {import("node:child_process").ChildProcess} pager
 * @param {string} wanted
 */
function shows(pager, wanted) {
  return new Promise((found, failed) => {
    let screen = "";
    const late = setTimeout(() => failed(new Error(`less did not show ${wanted}`)), timeoutMs);
    pager.once("error", failed);
    pager.stdout.setEncoding("utf8").on("data", (part) => {
      screen += part;
      if (!screen.includes(wanted)) return;
      clearTimeout(late);
      found(undefined);
    });
  });
}

/** @param {string} word */
function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
