/**
 * What is measured inside of a page, in whatever engine. Each function is sent as text, so it stands for itself and
 * answers a promise; times are milliseconds between frames.
 */

/** From the press until the graph stands there: `size` nodes as elements, or drawn. @param {object} wish */
export async function opened({ size, link, address }) {
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
  // Once for what was just drawn, once more so that it has been shown.
  await frame();
  await frame();
  return performance.now() - begun;
}

/** Frames while a hand turns the wheel: to and fro, or with Ctrl in and out. @param {object} wish */
export async function moved({ zoom, frames, limit }) {
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

/** Puts the middle of the graph into view at its own size. */
export async function zoomedToMiddle() {
  const frame = () => new Promise(requestAnimationFrame);
  if (window.showMiddle) window.showMiddle();
  else document.querySelector("[data-zoom-actual]").click();
  const begun = performance.now();
  while (performance.now() - begun < 1_500) await frame();
  return document.querySelectorAll(".react-flow__node").length;
}

/** Frames while the node nearest to the middle is dragged in a circle. @param {object} wish */
export async function dragged({ frames, limit }) {
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
 * Frames while the page is left alone, and the stretches in which it heard of nothing else: a timer that is due at once
 * waits for the task that goes on, so the longest of them bounds the longest task from above in every engine.
 *
 * @param {object} wish
 */
export async function watched({ milliseconds }) {
  // The least that a timer waits which was set by a timer (HTML, "timer initialization steps").
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

/** How many of the two hues that only a run brings are in the picture. */
export async function statesDrawn() {
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
