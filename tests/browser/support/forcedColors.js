/** Finds controls that can't be distinguished with forced colors. */

/**
 * Requires active `forced-colors`. Selected elements need a mark other than their background; elements that consist of
 * a background must keep it or have a border; edges and cards of the graph need contrast.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export function findIndistinctControls(page) {
  return page.evaluate(() => {
    if (!matchMedia("(forced-colors: active)").matches) return ["the colors are not forced"];
    const faults = new Set();
    const markless = "||||";
    const chosenOnes =
      "[aria-selected=true], [aria-pressed=true], [aria-checked=true], [aria-current]:not([aria-current=false])";
    const name = (element) => element.outerHTML.slice(0, 140);
    const inSight = (selector) =>
      [...document.querySelectorAll(selector)].filter(
        (element) =>
          element.checkVisibility() &&
          !element.closest("[inert], .sr-only") &&
          element.getBoundingClientRect().width > 2,
      );

    for (const chosen of inSight(chosenOnes)) {
      const other = [...(chosen.parentElement?.querySelectorAll("*") ?? [])].find(
        (each) =>
          each !== chosen &&
          each.getAttribute("role") === chosen.getAttribute("role") &&
          each.tagName === chosen.tagName &&
          !each.matches(chosenOnes),
      );
      const mark = markOf(chosen);
      const isNative = chosen instanceof HTMLInputElement;
      if (!isNative && (mark === markless || (other && markOf(other) === mark)))
        faults.add(`chosen without a mark: ${name(chosen)}`);
    }

    for (const bare of inSight("[class*='bg-state-'], [class*='bg-accent']")) {
      const style = getComputedStyle(bare);
      const isOnlyHover = [...bare.classList].every(
        (word) => !/^bg-(state-\w+|accent)$/.test(word),
      );
      if (isOnlyHover || bare.textContent?.trim() || bare.querySelector("svg")) continue;
      if (style.forcedColorAdjust !== "none" && markOf(bare) === markless)
        faults.add(`a ground that is gone: ${name(bare)}`);
    }

    const canvas = colorOf("Canvas");
    for (const edge of inSight(".react-flow__edge-path")) {
      const ratio = contrast(colorOf(getComputedStyle(edge).stroke), canvas);
      if (ratio < 3) faults.add(`an edge at ${ratio.toFixed(1)}:1: ${name(edge)}`);
    }
    for (const card of inSight(".react-flow__node > div")) {
      if (card.closest(".react-flow__node")?.querySelector("[data-lod]")) continue;
      const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(card);
      const isEdged = borderTopStyle !== "none" && Number.parseFloat(borderTopWidth) > 0;
      if (!isEdged || contrast(colorOf(borderTopColor), canvas) < 3)
        faults.add(`a card without an edge: ${name(card)}`);
    }
    return [...faults];

    /** Returns the parts of an element's style that remain in a palette of two colors. */
    function markOf(element) {
      const style = getComputedStyle(element);
      const line = (side) =>
        style[`${side}Style`] === "none" || Number.parseFloat(style[`${side}Width`]) === 0
          ? ""
          : `${style[`${side}Style`]} ${style[`${side}Width`]} ${style[`${side}Color`]}`;
      const lines = ["outline", "borderTop", "borderRight", "borderBottom", "borderLeft"];
      return lines.map(line).join("|");
    }

    function colorOf(words) {
      const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const shown = document.createElement("i");
      shown.style.cssText = `forced-color-adjust: none; color: ${words}`;
      document.body.append(shown);
      probe.fillStyle = getComputedStyle(shown).color;
      shown.remove();
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }

    function contrast(one, other) {
      const [light, dark] = [lightness(one), lightness(other)].sort((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05);
    }

    /** Relative luminance, WCAG 2.2. */
    function lightness(parts) {
      const [red, green, blue] = parts.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  });
}
