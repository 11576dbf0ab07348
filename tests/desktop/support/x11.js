/**
 * What a person does with windows that are not pages: closes them by the button of a window manager, which Xvfb does
 * not have, and answers the desktop's own dialogs by keys.
 */
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import x11 from "x11";

/** Places of keys on a keyboard, as X counts them (evdev's number and 8). */
export const keycodes = { escape: 9, enter: 36 };

/** A window that a person sees (X11, GetWindowAttributes). */
const viewable = 2;

/** How long a dialog may take to show, in milliseconds. */
const timeoutMs = 20_000;

/** @param {string} title of a window that a person sees */
export async function requestClose(title) {
  await onDisplay(async (X, root) => {
    const atom = (name) => promisify(X.InternAtom.bind(X))(false, name);
    const [protocols, ask] = [await atom("WM_PROTOCOLS"), await atom("WM_DELETE_WINDOW")];
    const [window] = await named(X, root, title);
    if (window === undefined) throw new Error(`no window is called ${title}`);
    // ICCCM 4.2.8.1: a client message of format 32 with the protocol and a time.
    const event = Buffer.alloc(32);
    event.writeUInt8(33, 0);
    event.writeUInt8(32, 1);
    event.writeUInt32LE(window, 4);
    event.writeUInt32LE(protocols, 8);
    event.writeUInt32LE(ask, 12);
    X.SendEvent(window, false, 0, event);
    // The answer to any request says that those before it were read.
    await atom("WM_NAME");
  });
}

/**
 * Presses a key in a dialog of the desktop, and waits until that is gone.
 *
 * @param {string} title of the dialog, which may be on its way
 * @param {number} place one of `keycodes`
 */
export async function answerDialog(title, place) {
  await onDisplay(async (X, root) => {
    const test = await promisify(X.require.bind(X))("xtest");
    // What was closed may be kept unseen for later.
    const seen = async () => {
      for (const window of await named(X, root, title)) {
        const view = await promisify(X.GetWindowAttributes.bind(X))(window).catch(() => undefined);
        if (view?.mapState === viewable) return window;
      }
      return undefined;
    };
    const window = await until(
      seen,
      (found) => found !== undefined,
      `no dialog is called ${title}`,
    );
    const { xPos, yPos } = await promisify(X.GetGeometry.bind(X))(window);
    const press = async () => {
      // Without a window manager keys go to the window below the pointer.
      test.FakeInput(test.MotionNotify, 0, 0, root, xPos + 60, yPos + 200);
      test.FakeInput(test.KeyPress, place, 0, root, 0, 0);
      test.FakeInput(test.KeyRelease, place, 0, root, 0, 0);
      await pause(500);
      return seen();
    };
    // A dialog that is just being shown does not hear keys yet.
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

/** Does something on the display, and leaves it again @param {(X: any, root: number) => Promise<void>} act */
async function onDisplay(act) {
  const { client, screen } = await promisify(x11.createClient)();
  try {
    await act(client, screen[0].root);
  } finally {
    client.terminate();
  }
}

/** All windows below `parent` that bear `title`; one may go meanwhile @returns {Promise<number[]>} */
async function named(X, parent, title) {
  const gone = () => undefined;
  const tree = await promisify(X.QueryTree.bind(X))(parent).catch(gone);
  const found = [];
  for (const child of tree?.children ?? []) {
    const asked = promisify(X.GetProperty.bind(X))(0, child, X.atoms.WM_NAME, 0, 0, 1000);
    const name = await asked.catch(gone);
    if (name?.data.toString() === title) found.push(child);
    found.push(...(await named(X, child, title)));
  }
  return found;
}
