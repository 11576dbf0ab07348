/**
 * Visual faults of a page that axe does not find: clipped, covered or unreachable elements, and
 * missing focus indicators.
 */

/**
 * Finds text that can't be read in full: clipped without a tooltip, covered by something else, or on a page that is
 * wider than its window. Scrollable text is fine, and the graph has its own zoom.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export function findClippedText(page) {
  return page.evaluate(() => {
    const faults = new Set();
    const name = (element) =>
      `<${element.tagName.toLowerCase()} class="${String(element.getAttribute("class")).slice(0, 60)}"> ${element.textContent?.trim().slice(0, 40)}`;
    if (document.documentElement.scrollWidth > innerWidth)
      faults.add("the page is wider than its window");

    // What is open over the page covers it on purpose.
    const over = document.querySelector("[role=menu], [role=dialog], [role=alertdialog]");
    const texts = document.createTreeWalker(over ?? document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const text = texts.currentNode;
      const element = text.parentElement;
      if (!element || text.textContent?.trim() === "" || isLeftOut(element)) continue;
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const end = fateOf(element, box);
      if (end === "cut") faults.add(`cut off: ${name(element)}`);
      if (end === "shown" && isCovered(element, box)) faults.add(`covered: ${name(element)}`);
    }
    return [...faults];

    function isLeftOut(element) {
      return (
        element.closest(
          ".sr-only, [inert], .react-flow__viewport, .cm-editor, [aria-hidden=true], option, title, script, style, [role=region][aria-label^='Notifications'], " +
            // It scrolls by itself.
            "[role=group][aria-label='Output lines']",
        ) !== null ||
        isOverPage(element) ||
        getComputedStyle(element).visibility === "hidden" ||
        // Collapsed content has a box, too.
        !element.checkVisibility() ||
        // For screen readers only.
        element.getBoundingClientRect().width <= 1
      );
    }

    /** Tooltips and the like; an open menu has its own walk. */
    function isOverPage(element) {
      const wrapper = element.closest("[data-radix-popper-content-wrapper]");
      return wrapper !== null && !wrapper.contains(over);
    }

    /**
     * Returns "cut" for text clipped by a box that neither scrolls nor has the full text, "away" if
     * it can be scrolled to, else "shown".
     */
    function fateOf(element, box) {
      let fate = "shown";
      for (let each = element; each && each !== document.body; each = each.parentElement) {
        const style = getComputedStyle(each);
        const frame = each.getBoundingClientRect();
        const sides = [
          [style.overflowX, box.right > frame.right + 1.5 || box.left < frame.left - 1.5],
          [style.overflowY, box.bottom > frame.bottom + 3 || box.top < frame.top - 3],
        ];
        for (const [overflow, isOut] of sides) {
          if (!isOut) continue;
          if (overflow === "auto" || overflow === "scroll") fate = "away";
          if ((overflow === "hidden" || overflow === "clip") && fate === "shown") {
            const hasFullText = element.closest(
              "[title], :is(a, button, [role=img], [role=option])[aria-label]",
            );
            if (!hasFullText && style.webkitLineClamp === "none") return "cut";
            fate = "away";
          }
        }
        if (style.position === "fixed") break;
      }
      return fate;
    }

    function isCovered(element, box) {
      const cover = coverOf(element, box);
      return cover !== undefined && !isShownByScrolling(element, cover);
    }

    /** The element that lies over the text of `element`, if it is another thing. */
    function coverOf(element, box) {
      const x = box.left + Math.min(box.width / 2, 20);
      const y = box.top + box.height / 2;
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return;
      const top = document.elementFromPoint(x, y);
      if (!top || top.closest("[role=region][aria-label^='Notifications']")) return;
      const style = getComputedStyle(element);
      if (style.pointerEvents === "none") return;
      // A label over its own control, and a link that is stretched over its card, belong together.
      const isCover = !element.contains(top) && !top.contains(element) && !isOneThing(element, top);
      return isCover ? top : undefined;
    }

    /**
     * What lies below a sticky footer is fine if it can be scrolled out from there. It is scrolled, because only that
     * shows it.
     */
    function isShownByScrolling(element, cover) {
      const layer = ancestor(cover, (each) => getComputedStyle(each).position === "sticky");
      const scroller = layer && ancestor(layer, scrolls);
      if (!scroller?.contains(element) || layer.contains(element)) return false;
      const before = scroller.scrollTop;
      const frame = scroller.getBoundingClientRect();
      const box = range.getBoundingClientRect();
      scroller.scrollTop += (box.top + box.bottom - frame.top - frame.bottom) / 2;
      const isShown = coverOf(element, range.getBoundingClientRect()) === undefined;
      scroller.scrollTop = before;
      return isShown;
    }

    function ancestor(element, matches) {
      let each = element;
      while (each && !matches(each)) each = each.parentElement;
      return each ?? undefined;
    }

    function scrolls(element) {
      return ["auto", "scroll"].includes(getComputedStyle(element).overflowY);
    }

    function isOneThing(one, other) {
      const row = one.closest(
        "label, [role=row], li, tr, article, button, a, [role=option], thead",
      );
      return row !== null && (row.contains(other) || getComputedStyle(other).position === "sticky");
    }
  });
}

/**
 * Presses Tab until the focus has gone around the page, and returns the controls that it did not reach or that show no
 * focus.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export async function findUnreachableControls(page) {
  const count = await page.evaluate(beginWalk);
  // Sent directly to the browser: a journey's trace keeps a snapshot of the page for every key
  // press by Playwright.
  const keys = await page.context().newCDPSession(page);
  const tab = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
  // Lists and fields may need more than one press; the limit ends a walk that never gets around.
  for (let steps = 0; steps < count * 2 + 20; steps += 1) {
    await keys.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...tab });
    await keys.send("Input.dispatchKeyEvent", { type: "keyUp", ...tab });
    const { result } = await keys.send("Runtime.evaluate", { expression: "window.walk.isRound()" });
    if (result.value) break;
  }
  await keys.detach();
  const { missed, unmarked } = await page.evaluate(() => window.walk.end());
  return [
    ...unmarked.map((words) => `no visible focus: ${words}`),
    ...missed.map((words) => `Tab does not reach: ${words}`),
  ];
}

/**
 * Runs in the page: records what Tab must reach, and the style of each element without the focus.
 */
function beginWalk() {
  const still = document.createElement("style");
  still.textContent = "*, ::before, ::after { transition: none !important }";
  document.head.append(still);
  const inside = document.querySelector("[role=dialog], [role=alertdialog]") ?? document;
  const first = document.activeElement;
  first?.blur?.();
  const words = (element) => element.outerHTML.slice(0, 160);
  const wanted = new Map();
  for (const each of inside.querySelectorAll(
    "a[href], button, input, select, textarea, [tabindex='0']",
  )) {
    // A group with arrow keys needs only one tab stop.
    const isGrouped = each.closest("[role=radiogroup], [role=tablist], [role=feed], [role=group]");
    const isRadio = each instanceof HTMLInputElement && each.type === "radio";
    const isAway = each.closest("[inert], [aria-hidden=true], .react-flow__viewport");
    if (each.disabled || each.tabIndex < 0 || isRadio || isAway || !each.checkVisibility())
      continue;
    wanted.set(each, { look: lookOf(each), met: isGrouped !== null });
  }
  // A dialog keeps the focus only while it has it: start at its initial focus.
  if (inside !== document) first?.focus?.();

  const unmarked = new Set();
  const look = () => {
    const element = document.activeElement;
    const known = wanted.get(element);
    if (!known) return;
    known.met = true;
    // A list with an active descendant marks that row.
    const names = element.hasAttribute("aria-activedescendant");
    if (!names && lookOf(element) === known.look) unmarked.add(words(element));
  };
  // Elements that have left the page meanwhile, such as toasts, can't be reached.
  const left = () => [...wanted].filter(([element, { met }]) => !met && element.isConnected);
  window.walk = {
    isRound() {
      look();
      return left().length === 0;
    },
    end() {
      still.remove();
      if (inside === document) document.activeElement?.blur?.();
      return { missed: left().map(([element]) => words(element)), unmarked: [...unmarked] };
    },
  };
  return wanted.size;

  /**
   * The style of the element and of those that may show its focus: its parent, next sibling and
   * children.
   */
  function lookOf(element) {
    return [element, element.parentElement, element.nextElementSibling, ...element.children]
      .filter((each) => each instanceof Element)
      .map((each) => {
        const style = getComputedStyle(each);
        const outline = style.outlineStyle === "none" ? "none" : style.outlineWidth;
        return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.stroke];
      })
      .join();
  }
}
