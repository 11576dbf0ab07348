/**
 * Measurements inside a page, in any engine. Each function is sent as text, so it must be self-contained and return a
 * promise; times are milliseconds between frames.
 */

/**
 * Returns the time from the click until the graph is shown: `size` nodes as elements, or drawn on a canvas.
 *
 * @param {object} wish
 */
export async function timeToOpen({ size, link, address }) {
  const begun = performance.now();
  if (address) window.openGraph(address);
  else [...document.querySelectorAll("a")].find((a) => a.textContent.includes(link)).click();
  const isThere = () =>
    document.querySelector("canvas[data-drawn]") !== null ||
    document.querySelectorAll(".react-flow__node").length >= size;
  const frame = () => new Promise(requestAnimationFrame);
  while (!isThere()) {
    if (performance.now() - begun > 120_000) throw new Error("the graph did not open");
    await frame();
  }
  // One frame to paint it, one more until it is shown.
  await frame();
  await frame();
  return performance.now() - begun;
}

/**
 * Returns the frame times while the wheel scrolls back and forth, or zooms in and out.
 *
 * @param {object} wish
 */
export async function wheelFrames({ zoom, frames, limit }) {
  const pane = document.querySelector(".react-flow__pane");
  const { left, top, width, height } = pane.getBoundingClientRect();
  const place = { clientX: left + width / 2, clientY: top + height / 2 };
  const frame = () => new Promise(requestAnimationFrame);
  const times = [];
  let last = await frame();
  const begun = last;
  for (let at = 0; at < frames + 5 && last - begun < limit; at += 1) {
    const delta = Math.floor(at / 15) % 2 === 0 ? 1 : -1;
    const turn = zoom ? { deltaY: -2 * delta, ctrlKey: true } : { deltaX: 24 * delta };
    const common = { bubbles: true, cancelable: true, view: window, ...place };
    pane.dispatchEvent(new WheelEvent("wheel", { ...common, ...turn }));
    const now = await frame();
    if (at >= 5 || now - last > 500) times.push(now - last);
    last = now;
  }
  return times;
}

/** Shows the middle of the graph at 100%, and returns the number of node elements. */
export async function zoomToMiddle() {
  const frame = () => new Promise(requestAnimationFrame);
  if (window.showMiddle) window.showMiddle();
  else document.querySelector("[data-zoom-actual]").click();
  const begun = performance.now();
  while (performance.now() - begun < 1_500) await frame();
  return document.querySelectorAll(".react-flow__node").length;
}

/**
 * Returns the frame times while the node nearest to the middle is dragged in a circle.
 *
 * @param {object} wish
 */
export async function dragFrames({ frames, limit }) {
  const frame = () => new Promise(requestAnimationFrame);
  const middle = { x: innerWidth / 2, y: innerHeight / 2 };
  const [node] = [...document.querySelectorAll(".react-flow__node")]
    .map((element) => {
      const box = element.getBoundingClientRect();
      const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      return { element, at, away: Math.hypot(at.x - middle.x, at.y - middle.y) };
    })
    .sort((one, other) => one.away - other.away);
  const send = (target, type, at) =>
    target.dispatchEvent(
      new MouseEvent(type, {
        bubbles: true,
        cancelable: true,
        view: window,
        clientX: at.x,
        clientY: at.y,
      }),
    );
  const before = node.element.style.transform;
  send(node.element, "mousedown", node.at);
  const times = [];
  let last = await frame();
  const begun = last;
  let at = node.at;
  for (let turn = 0; turn < frames + 5 && last - begun < limit; turn += 1) {
    const angle = turn / 8;
    at = { x: node.at.x + 60 * Math.sin(angle), y: node.at.y + 60 * (1 - Math.cos(angle)) + 8 };
    send(window, "mousemove", at);
    const now = await frame();
    if (turn >= 5 || now - last > 500) times.push(now - last);
    last = now;
  }
  const there = document.querySelector(`.react-flow__node[data-id="${node.element.dataset.id}"]`);
  if (there.style.transform === before) throw new Error("the node was not dragged");
  send(window, "mouseup", at);
  return times;
}

/**
 * Returns the frame times while the page is idle, and the delays of a zero timer: it waits for the current task, so
 * its longest delay is an upper bound of the longest task in every engine.
 *
 * @param {object} wish
 */
export async function idleFrames({ milliseconds }) {
  // The minimum delay of a nested timer (HTML, "timer initialization steps").
  const least = 4;
  const stretches = [];
  let beat;
  const listen = (since) => {
    beat = setTimeout(() => {
      const now = performance.now();
      stretches.push(now - since - least);
      listen(now);
    }, 0);
  };
  const frames = [];
  const begun = await new Promise(requestAnimationFrame);
  listen(performance.now());
  for (let last = begun; last - begun < milliseconds; ) {
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  clearTimeout(beat);
  return { frames, stretches };
}

/** Returns how many of the two colors that only occur in runs are in the picture. */
export async function countStateColors() {
  const canvas = document.querySelector("canvas[data-drawn]");
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const probe = canvas.parentElement.appendChild(document.createElement("i"));
  const hueOf = (variable) => {
    probe.style.color = `var(${variable})`;
    const copy = new OffscreenCanvas(1, 1).getContext("2d");
    copy.fillStyle = getComputedStyle(probe).color;
    copy.fillRect(0, 0, 1, 1);
    return [...copy.getImageData(0, 0, 1, 1).data].join();
  };
  const wanted = ["--state-running", "--state-done"].map(hueOf);
  probe.remove();
  const there = new Set();
  for (let at = 0; at < data.length; at += 4) {
    const hue = `${data[at]},${data[at + 1]},${data[at + 2]},${data[at + 3]}`;
    if (wanted.includes(hue)) there.add(hue);
  }
  return there.size;
}
