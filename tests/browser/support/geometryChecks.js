/**
 * Faults of a page's geometry in its present size: things that overlap, stick out of their box, are cut by it, or are
 * outside the window. `layoutChecks.js` has the check for text that is cut or covered.
 */

/**
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export function findGeometryFaults(page) {
  return page.evaluate(() => {
    const CONTROLS =
      "button, a[href], input, select, textarea, [role=button], [role=menuitem], [role=option], [role=tab], [role=switch], [role=checkbox], [role=radio]";
    const LEFT_OUT =
      ".sr-only, [inert], .cm-editor, [aria-hidden=true], option, title, script, style, [role=region][aria-label^='Notifications'], [role=group][aria-label='Output lines']";
    const faults = new Set();
    const styles = new Map();
    const styleOf = (element) => {
      if (!styles.has(element)) styles.set(element, getComputedStyle(element));
      return styles.get(element);
    };
    const shorten = (text, length) => text.replaceAll(/\s+/g, " ").trim().slice(0, length);
    const name = (element) =>
      `<${element.tagName.toLowerCase()} class="${shorten(element.getAttribute("class") ?? "", 70)}"> ${shorten(element.getAttribute("aria-label") ?? element.textContent ?? "", 30)}`;

    const frame = document.documentElement;
    if (frame.scrollWidth > innerWidth || frame.scrollHeight > innerHeight + 1)
      faults.add(`the page is larger than its window because of ${largest()}`);

    const items = [...visibleLines(), ...visibleControls()];
    for (const item of items) checkBox(item);
    for (const [one, other] of overlappingPairs(items))
      faults.add(`overlap: ${name(one.element)} and ${name(other.element)}`);
    return [...faults];

    /** The element outside the window that makes the page scroll: one that its scrolling ancestor does not contain. */
    function largest() {
      const outside = [...document.body.querySelectorAll("*")].filter((each) => {
        const box = each.getBoundingClientRect();
        const isOut = box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
        return isOut && styleOf(each).position === "absolute";
      });
      return outside.length > 0
        ? `${name(outside[0])} in ${name(outside[0].parentElement)}`
        : "its layout";
    }

    /** The open dialog or menu, which lies over the rest, or the page. */
    function roots() {
      const popper = document.querySelectorAll("[data-radix-popper-content-wrapper]");
      const dialog = document.querySelectorAll("[role=dialog], [role=alertdialog]");
      return dialog.length > 0 || popper.length > 0
        ? [...dialog, ...popper].filter((each) => !each.parentElement?.closest("[role=dialog]"))
        : [document.body];
    }

    function isShown(element) {
      if (element.closest(LEFT_OUT) !== null) return false;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        return false;
      const box = element.getBoundingClientRect();
      return box.width > 1 && box.height > 1;
    }

    /** Every line of text, without the part that its ancestors clip. */
    function visibleLines() {
      const lines = [];
      const range = document.createRange();
      for (const root of roots()) {
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const element = texts.currentNode.parentElement;
          if (!element || texts.currentNode.textContent.trim() === "" || !isShown(element))
            continue;
          range.selectNodeContents(texts.currentNode);
          for (const box of range.getClientRects()) add(lines, element, box, "text");
        }
      }
      return lines;
    }

    function visibleControls() {
      const controls = [];
      for (const root of roots())
        for (const element of root.querySelectorAll(CONTROLS))
          if (isShown(element)) add(controls, element, element.getBoundingClientRect(), "control");
      return controls;
    }

    function add(list, element, box, kind) {
      if (box.width < 1 || box.height < 1) return;
      const seen = clip(element, box);
      if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1)
        list.push({ element, box, seen, kind });
    }

    /** The part of a box that its clipping and scrolling ancestors show. */
    function clip(element, box) {
      const seen = { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
      let isAbsolute = styleOf(element).position === "absolute";
      for (let each = element; each && each !== document.body; each = each.parentElement) {
        const style = styleOf(each);
        // An absolute box is clipped only by its containing block and what is around that.
        const isContaining =
          !isAbsolute || style.position !== "static" || style.transform !== "none";
        if (isContaining && each !== element) isAbsolute = style.position === "absolute";
        if (isContaining) {
          const outer = each.getBoundingClientRect();
          if (style.overflowX !== "visible") {
            seen.left = Math.max(seen.left, outer.left);
            seen.right = Math.min(seen.right, outer.right);
          }
          if (style.overflowY !== "visible") {
            seen.top = Math.max(seen.top, outer.top);
            seen.bottom = Math.min(seen.bottom, outer.bottom);
          }
        }
        if (style.position === "fixed") break;
      }
      return seen;
    }

    /** Text must be inside the box that is drawn around it; a control inside the window, and whole. */
    function checkBox({ element, box, kind }) {
      const isOnCanvas = element.closest(".react-flow__viewport") !== null;
      let isDrawn = false;
      for (
        let each = kind === "text" ? element : element.parentElement;
        each;
        each = each.parentElement
      ) {
        if (each === document.body) break;
        const style = styleOf(each);
        const outer = each.getBoundingClientRect();
        const isBeside = box.left < outer.left - 1.5 || box.right > outer.right + 1.5;
        const isAbove = box.top < outer.top - 4 || box.bottom > outer.bottom + 4;
        if (kind === "text" && !isDrawn && hasBox(style) && style.display !== "inline") {
          isDrawn = true;
          const isClipped = style.overflowX !== "visible" || style.overflowY !== "visible";
          if ((isBeside || isAbove) && !isClipped)
            faults.add(`sticks out: ${name(element)} of ${name(each)}`);
        }
        if (style.overflowX !== "visible" || style.overflowY !== "visible") {
          if (style.overflowX === "auto" || style.overflowX === "scroll") return;
          if (style.overflowY === "auto" || style.overflowY === "scroll") return;
          isDrawn = true;
          // A link in a shortened line is shortened with it.
          const isWhole = (!isBeside && !isAbove) || style.textOverflow === "ellipsis";
          if (kind === "control" && !isWhole && !element.closest(".react-flow"))
            faults.add(`control cut: ${name(element)} by ${name(each)}`);
          if (kind === "text") return;
        }
        if (style.position === "fixed") break;
      }
      if (isOnCanvas) return;
      if (
        box.left < -1 ||
        box.top < -1 ||
        box.right > innerWidth + 1 ||
        box.bottom > innerHeight + 1
      )
        faults.add(`outside the window: ${name(element)}`);
    }

    function hasBox(style) {
      return (
        isOpaque(style) || (style.borderLeftWidth !== "0px" && style.borderRightWidth !== "0px")
      );
    }

    function isOpaque(style) {
      return !/^rgba\(0, 0, 0, 0\)$|transparent|\/ 0\)$/.test(style.backgroundColor);
    }

    function overlappingPairs(list) {
      const pairs = [];
      const sorted = list.toSorted((one, other) => one.seen.top - other.seen.top);
      for (const [at, one] of sorted.entries())
        for (let next = at + 1; next < sorted.length; next += 1) {
          const other = sorted[next];
          if (other.seen.top >= one.seen.bottom - 2) break;
          if (isOverlap(one, other)) pairs.push([one, other]);
        }
      return pairs;
    }

    function isOverlap(one, other) {
      const width =
        Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left);
      const height =
        Math.min(one.seen.bottom, other.seen.bottom) - Math.max(one.seen.top, other.seen.top);
      // Line boxes are a little taller than their letters.
      if (width < 2 || height < (one.kind === "text" && other.kind === "text" ? 5 : 3))
        return false;
      if (one.element.contains(other.element) || other.element.contains(one.element)) return false;
      if (isOneThing(one.element, other.element)) return false;
      return !isCovered(one.element, other.element) && !isCovered(other.element, one.element);
    }

    /** A label over its own control, a link stretched over its row, and cards that a person placed. */
    function isOneThing(one, other) {
      if (one.closest("label")?.contains(other) || other.closest("label")?.contains(one))
        return true;
      if (one.closest(".react-flow__viewport") && other.closest(".react-flow__viewport"))
        return true;
      return (
        isInField(one, other) || isInField(other, one) || isStretched(one) || isStretched(other)
      );
    }

    /** A button at the end of a field. */
    function isInField(button, field) {
      if (!field.matches("input, textarea")) return false;
      let each = button;
      while (each && !each.parentElement?.contains(field)) each = each.parentElement;
      return each !== null && styleOf(each).position === "absolute";
    }

    /** A control that fills its row, card or cell; the rest lies on it. */
    function isStretched(element) {
      const isStretch = (style) =>
        style.position === "absolute" &&
        ["0px"].includes(style.left) &&
        style.right === "0px" &&
        style.top === "0px" &&
        style.bottom === "0px";
      return isStretch(styleOf(element)) || isStretch(getComputedStyle(element, "::after"));
    }

    /** Whether an opaque layer with `top`, such as a sticky heading, lies over `below`. */
    function isCovered(top, below) {
      let isLayer = false;
      let isSolid = false;
      for (let each = top; each && !each.contains(below); each = each.parentElement) {
        const style = styleOf(each);
        isSolid ||= isOpaque(style);
        isLayer ||= style.position !== "static" && style.position !== "relative";
      }
      return isLayer && isSolid;
    }
  });
}

/**
 * Elements that have another place or size in another theme, so that the geometry has to be checked in one theme only.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export function findThemeShifts(page) {
  return page.evaluate(async () => {
    const root = document.documentElement;
    const before = root.dataset.theme;
    const elements = [...document.querySelectorAll("main *, [role=dialog] *, [role=menu] *")];
    const measure = async (theme) => {
      root.dataset.theme = theme;
      await new Promise((done) => requestAnimationFrame(done));
      return elements.map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join();
      });
    };
    const light = await measure("light");
    const others = [await measure("dark"), await measure("contrast")];
    // What also differs between two measurements of one theme has changed by itself, like a clock.
    const again = await measure("light");
    if (before === undefined) delete root.dataset.theme;
    else root.dataset.theme = before;
    return elements
      .filter((_, at) => light[at] === again[at] && others.some((other) => other[at] !== light[at]))
      .map((each) => `moves with the theme: ${each.outerHTML.slice(0, 120)}`);
  });
}
