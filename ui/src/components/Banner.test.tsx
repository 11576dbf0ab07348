import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Banner } from "./Banner";

test("a long message is cut after three lines and read whole on hover", () => {
  const message = "Not started: 'a', 'b' and 198 more.";
  render(
    <Banner tone="danger" icon={null}>
      {message}
    </Banner>,
  );
  expect(screen.getByText(message)).toHaveClass("line-clamp-3");
  expect(screen.getByTitle(message)).toHaveTextContent(message);
});

test("what is more than a sentence is never cut", () => {
  render(
    <Banner tone="danger" icon={null}>
      <ul>
        <li>First problem</li>
      </ul>
    </Banner>,
  );
  expect(screen.getByRole("list").closest(".line-clamp-3")).toBeNull();
});
