/**
 * Actions on windows that the driver can't reach: closing them like a window manager, which Xvfb lacks, and
 * answering the desktop's own dialogs with keys.
 */
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import x11 from "x11";

/** X key codes (evdev codes plus 8). */
export const keycodes = { escape: 9, enter: 36 };

/** The map state of a visible window (X11, GetWindowAttributes). */
const viewable = 2;

/** How long a dialog may take to appear, in milliseconds. */
const timeoutMs = 20_000;

/**
 * Closes a window.
 *
 * @param {string} title of a visible window
 */
export async function requestClose(title) {
  await onDisplay(async (X, root) => {
    const atom = (name) => promisify(X.InternAtom.bind(X))(false, name);
    const [protocols, ask] = [await atom("WM_PROTOCOLS"), await atom("WM_DELETE_WINDOW")];
    const [window] = await findWindows(X, root, title);
    if (window === undefined) throw new Error(`no window has the title ${title}`);
    // ICCCM 4.2.8.1: a client message of format 32 with the protocol and a time.
    const event = Buffer.alloc(32);
    event.writeUInt8(33, 0);
    event.writeUInt8(32, 1);
    event.writeUInt32LE(window, 4);
    event.writeUInt32LE(protocols, 8);
    event.writeUInt32LE(ask, 12);
    X.SendEvent(window, false, 0, event);
    // A response to any request means that the earlier ones were processed.
    await atom("WM_NAME");
  });
}

/**
 * Presses a key in a dialog of the desktop, and waits until the dialog is gone.
 *
 * @param {string} title of the dialog, which may not be open yet
 * @param {number} place one of `keycodes`
 */
export async function answerDialog(title, place) {
  await onDisplay(async (X, root) => {
    const test = await promisify(X.require.bind(X))("xtest");
    // Closed dialogs may be kept hidden for later.
    const seen = async () => {
      for (const window of await findWindows(X, root, title)) {
        const view = await promisify(X.GetWindowAttributes.bind(X))(window).catch(() => undefined);
        if (view?.mapState === viewable) return window;
      }
      return undefined;
    };
    const window = await until(
      seen,
      (found) => found !== undefined,
      `no dialog has the title ${title}`,
    );
    const { xPos, yPos } = await promisify(X.GetGeometry.bind(X))(window);
    const press = async () => {
      // Without a window manager, keys go to the window below the pointer.
      test.FakeInput(test.MotionNotify, 0, 0, root, xPos + 60, yPos + 200);
      test.FakeInput(test.KeyPress, place, 0, root, 0, 0);
      test.FakeInput(test.KeyRelease, place, 0, root, 0, 0);
      await pause(500);
      return seen();
    };
    // A dialog that is just opening may miss keys, so they are repeated.
    await until(press, (left) => left === undefined, `${title} is still there`);
  });
}

async function until(ask, isEnough, complaint) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (isEnough(answer)) return answer;
    if (Date.now() > deadline) throw new Error(complaint);
    await pause(100);
  }
}

/**
 * Runs `act` with a connection to the display.
 *
 * @param {(X: any, root: number) => Promise<void>} act
 */
async function onDisplay(act) {
  const { client, screen } = await promisify(x11.createClient)();
  try {
    await act(client, screen[0].root);
  } finally {
    client.terminate();
  }
}

/**
 * Returns all descendants of `parent` with `title`; windows may disappear meanwhile.
 *
 * @returns {Promise<number[]>}
 */
async function findWindows(X, parent, title) {
  const gone = () => undefined;
  const tree = await promisify(X.QueryTree.bind(X))(parent).catch(gone);
  const found = [];
  for (const child of tree?.children ?? []) {
    const asked = promisify(X.GetProperty.bind(X))(0, child, X.atoms.WM_NAME, 0, 0, 1000);
    const name = await asked.catch(gone);
    if (name?.data.toString() === title) found.push(child);
    found.push(...(await findWindows(X, child, title)));
  }
  return found;
}
