import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Banner } from "./Banner";

test("a long message is truncated to three lines with the full text on hover", () => {
  const message = "Not started: 'a', 'b' and 198 more.";
  render(
    <Banner tone="danger" icon={null}>
      {message}
    </Banner>,
  );
  expect(screen.getByText(message)).toHaveClass("line-clamp-3");
  expect(screen.getByTitle(message)).toHaveTextContent(message);
});

test("content other than text is never truncated", () => {
  render(
    <Banner tone="danger" icon={null}>
      <ul>
        <li>First problem</li>
      </ul>
    </Banner>,
  );
  expect(screen.getByRole("list").closest(".line-clamp-3")).toBeNull();
});
