import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { SummaryView } from "@/api/bindings";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { NodeSummary } from "./NodeSummary";

function open(markdown: string, more: Partial<SummaryView> = {}) {
  const summary: SummaryView = {
    attempt: 1,
    markdown,
    bytes: markdown.length,
    cut: false,
    ...more,
  };
  const { backend } = fakeBackend({ node_summary: () => summary });
  renderAtPath(
    backend,
    <>
      <NodeSummary run="run" node="node" attempt={1} />
      <p>After</p>
    </>,
  );
}

test("shows the summary as Markdown", async () => {
  open("# Tests\n\n| passed | failed |\n| --- | --- |\n| 41 | 1 |\n");
  const summary = await screen.findByRole("region", { name: "Summary" });
  expect(within(summary).getByRole("heading", { name: "Tests" })).toBeVisible();
  expect(within(summary).getByRole("cell", { name: "41" })).toBeVisible();
  expect(within(summary).getByRole("button", { name: "Copy summary" })).toBeVisible();
});

test("hostile Markdown is neither HTML nor a request", async () => {
  open(
    '<img src="https://example.org/a.png" onerror="alert(1)"><script>alert(1)</script>\n\n' +
      "![picture](https://example.org/b.png) [link](javascript:alert(1))",
  );
  const summary = await screen.findByRole("region", { name: "Summary" });
  expect(summary.querySelector("img, script, iframe")).toBeNull();
  expect(within(summary).getByText("[image: picture]")).toBeVisible();
  expect(within(summary).getByText("link").getAttribute("href") ?? "").not.toContain("javascript");
});

test("a node without a summary shows nothing", async () => {
  open(" \n");
  expect(await screen.findByText("After")).toBeVisible();
  expect(screen.queryByRole("region", { name: "Summary" })).toBeNull();
});

test("a long summary shows its beginning, and all of it as plain text", async () => {
  open(`${"line\n".repeat(20_000)}**last**\n`, { bytes: 3_000_000, cut: true });
  const summary = await screen.findByRole("region", { name: "Summary" });
  expect(within(summary).queryByText(/last/)).toBeNull();
  expect(within(summary).getByText(/wrote 3.0 MB/)).toBeVisible();
  await userEvent.click(within(summary).getByRole("button", { name: "Show all as plain text" }));
  expect(within(summary).getByText(/\*\*last\*\*/)).toBeVisible();
  expect(within(summary).queryByRole("button", { name: "Show all as plain text" })).toBeNull();
});
