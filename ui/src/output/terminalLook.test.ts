import { expect, test } from "vitest";
import { terminalLook } from "./terminalLook";

const palette = (index: number) => ({ kind: "palette", index }) as const;
const yellow = { kind: "rgb", rgb: [255, 255, 0] as [number, number, number] } as const;

test("text on a background that the theme doesn't know is readable", () => {
  expect(terminalLook({ background: yellow }).style?.color).toBe("#000000");
  expect(terminalLook({ background: palette(16), foreground: yellow }).style?.color).toBe(
    "#ffff00",
  );
  expect(terminalLook({ background: palette(16), foreground: palette(17) }).style?.color).toBe(
    "#ffffff",
  );
  expect(terminalLook({ inverse: true, foreground: yellow }).style?.color).toBe("#000000");
});

test("other styles look as everywhere", () => {
  expect(terminalLook({ bold: true, foreground: palette(1) })).toEqual({
    className: "font-semibold",
    style: { color: "var(--terminal-1)" },
  });
  expect(terminalLook({})).toEqual({ className: "" });
});
