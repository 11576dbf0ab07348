import { readFileSync } from "node:fs";
import path from "node:path";
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { BatonMark } from "./BatonMark";
import { renderApp } from "./renderApp";

const indexPage = readFileSync(path.resolve(import.meta.dirname, "../../index.html"), "utf8");
const page = new DOMParser().parseFromString(indexPage, "text/html");

/** The outer boxes of the window, from which a shift of the page would be seen. */
const boxesOf = (frame: Element) => [frame.className, frame.firstElementChild?.className];

test("the frame that is painted before the program runs is that of the program", () => {
  const painted = page.querySelector("#root > div");
  expect(painted?.getAttribute("aria-hidden")).toBe("true");
  const { container } = render(<BatonMark />);
  const mark = painted?.querySelector("svg")?.outerHTML.replace(/>\s+</g, "><");
  expect(mark).toBe(container.querySelector("svg")?.outerHTML);
  renderApp("/nowhere", {});
  const rail = document.querySelector("nav");
  expect(rail?.parentElement).not.toBeNull();
  expect(painted && boxesOf(painted)).toEqual(rail?.parentElement && boxesOf(rail.parentElement));
});
