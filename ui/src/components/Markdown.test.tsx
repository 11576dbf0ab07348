import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Markdown } from "./Markdown";

test("HTML from an agent stays text, loads nothing and runs nothing", () => {
  const text =
    '<img src=x onerror="alert(1)"> ![shot](https://example.org/a.png) [go](javascript:alert(1))';
  const { container } = render(<Markdown text={text} />);
  expect(container.querySelector("img, script")).toBeNull();
  expect(container).toHaveTextContent("[image: shot]");
  expect(screen.getByText("go")).not.toHaveAttribute("href", expect.stringContaining("javascript"));
});
