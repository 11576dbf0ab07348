import { render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { DiffView } from "./DiffView";

const hunks = [
  { oldStart: 1, newStart: 1, lines: [" fn main() {", "-    // old", '+    "new";', " }"] },
  { oldStart: 9, newStart: 9, lines: ["+    let x = 1;"] },
];

test("both sides of a diff are highlighted, and every line can be addressed", async () => {
  const { container } = render(<DiffView path="src/main.rs" hunks={hunks} />);
  expect(screen.getByRole("figure")).toHaveTextContent("// old");
  await waitFor(() => expect(screen.getByText("// old")).toHaveClass("code-comment"));
  expect(screen.getByText('"new"')).toHaveClass("code-string");
  expect(screen.getByText("let")).toHaveClass("code-keyword");
  const keys = [...container.querySelectorAll("[data-diff-line]")].map((line) =>
    line.getAttribute("data-diff-line"),
  );
  expect(keys).toEqual(["new:1", "old:2", "new:2", "new:3", "new:9"]);
});

test("unknown languages and very long code stay plain", async () => {
  const long = [{ oldStart: 0, newStart: 1, lines: [`+// ${"x".repeat(200_001)}`] }];
  const { container } = render(
    <>
      <DiffView path="a.unknown" hunks={hunks} />
      <DiffView path="a.rs" hunks={long} />
    </>,
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(container.querySelector("[class^=code-]")).toBeNull();
});
