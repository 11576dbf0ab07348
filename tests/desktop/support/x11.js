/** What a window manager does: asks a window to close when its button is pressed. Xvfb has none. */
import { promisify } from "node:util";
import x11 from "x11";

/** @param {string} title of a window that a person sees */
export async function askToClose(title) {
  const display = await promisify(x11.createClient)();
  const { client: X, screen } = display;
  try {
    const atom = (name) => promisify(X.InternAtom.bind(X))(false, name);
    const [protocols, ask] = [await atom("WM_PROTOCOLS"), await atom("WM_DELETE_WINDOW")];
    const window = await find(X, screen[0].root, title);
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
  } finally {
    X.terminate();
  }
}

/** The first window below `parent` that bears `title` @returns {Promise<number | undefined>} */
async function find(X, parent, title) {
  const { children } = await promisify(X.QueryTree.bind(X))(parent);
  for (const child of children) {
    const name = await promisify(X.GetProperty.bind(X))(0, child, X.atoms.WM_NAME, 0, 0, 1000);
    if (name.data.toString() === title) return child;
    const below = await find(X, child, title);
    if (below !== undefined) return below;
  }
  return undefined;
}
