import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { expect, test, vi } from "vitest";
import type { Check } from "@/api/bindings";
import { CheckList } from "./CheckList";
import { TooltipProvider } from "./Tooltip";

const check = (facts: Partial<Check>): Check => ({
  verdict: "passed",
  sentence: "the directory exists",
  mend: null,
  node: null,
  ...facts,
});

function renderTipped(list: ReactElement) {
  return render(list, { wrapper: TooltipProvider });
}

test("a check shows its verdict and fix, and links to its node", async () => {
  const show = vi.fn();
  const checks = [
    check({}),
    check({ verdict: "failed", sentence: "no agent", mend: "choose one", node: "n" }),
  ];
  renderTipped(<CheckList checks={checks} onShowNode={show} />);
  const [passed, failed] = screen.getAllByRole("listitem");
  expect(within(passed as HTMLElement).getByLabelText("Passed")).toBeVisible();
  expect(within(passed as HTMLElement).queryByRole("button"), "it has no node").toBeNull();
  expect(failed).toHaveTextContent("No agent.Choose one.");
  await userEvent.click(screen.getByRole("button", { name: "Show node" }));
  expect(show).toHaveBeenCalledWith("n");
});

test("each open check has one button for its next step", async () => {
  const [settings, again] = [vi.fn(), vi.fn()];
  const checks = [
    check({ sentence: "fine" }),
    check({ verdict: "failed", sentence: "no directory", mend: "choose one" }),
    check({ verdict: "warning", sentence: "no repository", mend: "run `git init` there" }),
  ];
  renderTipped(<CheckList checks={checks} onShowSettings={settings} onCheckAgain={again} />);
  const [passed, failed, warned] = screen.getAllByRole("listitem").map((row) => within(row));
  expect(passed?.queryByRole("button")).toBeNull();
  await userEvent.click(failed?.getByRole("button", { name: "Open settings" }) as HTMLElement);
  expect(settings).toHaveBeenCalledOnce();
  await userEvent.click(warned?.getByRole("button", { name: "Check again" }) as HTMLElement);
  expect(again).toHaveBeenCalledOnce();
});

test("the commands of a fix can be copied, each once", async () => {
  const user = userEvent.setup();
  const mend = "Install it with `npm i -g pi`, then run `pi login` (not `npm i -g pi`)";
  renderTipped(<CheckList checks={[check({ verdict: "warning", mend })]} />);
  expect(screen.getAllByRole("button")).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "Copy npm i -g pi" }));
  expect(await navigator.clipboard.readText()).toBe("npm i -g pi");
});

test("a button to copy comes after the mark that follows its command", () => {
  const mend = "install it with `npm i -g pi`, then run `pi login`";
  renderTipped(<CheckList checks={[check({ verdict: "warning", mend })]} />);
  const [install, login] = screen.getAllByRole("button");
  const before = (button: HTMLElement | undefined) =>
    button?.closest("span")?.previousSibling?.textContent;
  expect([before(install), before(login)]).toEqual([",", "."]);
  expect(screen.getByRole("listitem")).toHaveTextContent("npm i -g pi, then run pi login.");
});

test("renders no node button without a handler, and reports an empty list", () => {
  const { rerender } = renderTipped(<CheckList checks={[check({ node: "n" })]} />);
  expect(screen.queryByRole("button")).toBeNull();
  rerender(<CheckList checks={[]} />);
  expect(screen.getByText("No problems found.")).toBeVisible();
});
