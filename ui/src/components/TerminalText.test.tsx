import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { TerminalText } from "./TerminalText";

test("ranges are styled and the rest stays plain", () => {
  const styles = [
    { start: 2, end: 5, style: { bold: true, foreground: { kind: "palette", index: 1 } as const } },
    { start: 90, end: 99, style: { bold: true } },
  ];
  const { container } = render(<TerminalText text="a red end" styles={styles} />);
  expect(container).toHaveTextContent("a red end");
  expect(screen.getByText("red")).toHaveClass("font-semibold");
  expect(container.querySelectorAll("span")).toHaveLength(1);
});

test("only web addresses become links", () => {
  const link = (start: number, address: string) => ({
    start,
    end: start + 1,
    style: { link: address },
  });
  render(
    <TerminalText
      text="abc"
      styles={[
        link(0, "https://example.org"),
        link(1, "javascript:alert(1)"),
        link(2, "file:///etc/passwd"),
      ]}
    />,
  );
  const links = screen.getAllByRole("link");
  expect(links.map((found) => found.getAttribute("href"))).toEqual(["https://example.org"]);
});
