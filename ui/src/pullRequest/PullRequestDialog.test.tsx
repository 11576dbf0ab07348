import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { PullRequestResult, PullRequestView } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { PullRequestDialog } from "./PullRequestDialog";
import { pullRequestViewOf } from "./pullRequestFixture";

const plan = planOf(["a", "b"], []);
const done = { state: "done", byHand: false } as const;
const result: PullRequestResult = {
  branch: "baton/sign-in-1",
  pushed: true,
  url: "https://github.com/acme/app/pull/7",
  existing: false,
  pushCommand: "git push",
};

async function open(view: PullRequestView | ApiError, answers: Record<string, unknown> = {}) {
  const opened = openBlueprint(<PullRequestDialog />, {
    view: viewOf(plan, { review: "approved" }),
    run: runOf(plan, { a: done, b: done }),
    answers: { run_pull_request_open: result, ...answers },
  });
  opened.call.mockImplementation(async (name: string) => {
    const answer = name === "run_pull_request" ? view : answers[name];
    if (answer instanceof ApiError) throw answer;
    return answer ?? result;
  });
  act(() => opened.page.setState({ pullRequestOpen: true }));
  const dialog = within(await screen.findByRole("dialog", { name: "Open pull request" }));
  return { ...opened, dialog };
}

test("opens a pull request as edited and links to it", async () => {
  const { call, dialog } = await open(pullRequestViewOf());
  const title = await dialog.findByRole("textbox", { name: "Title" });
  await userEvent.clear(title);
  await userEvent.type(title, "Add a form");
  await userEvent.type(dialog.getByRole("textbox", { name: "Description" }), " More.");
  await userEvent.click(dialog.getByRole("switch", { name: "Draft" }));
  expect(dialog.getByText("Work of Title of a and Title of b")).toBeVisible();
  expect(
    dialog.getByText(
      "Pushes to https://github.com/acme/app (origin), then opens the pull request with gh.",
    ),
  ).toBeVisible();
  await userEvent.click(dialog.getByRole("button", { name: "Open pull request" }));
  expect(call).toHaveBeenCalledWith("run_pull_request_open", {
    run: "run",
    remote: "origin",
    pushAddress: "https://github.com/acme/app",
    base: "main",
    branch: "baton/sign-in-1",
    title: "Add a form",
    description: "## Goal\n\n> Let people sign in. More.",
    draft: true,
    update: false,
  });
  const link = await dialog.findByRole("link", { name: result.url ?? "" });
  expect(link).toHaveAttribute("href", result.url);
  expect(link).toHaveAttribute("rel", "noreferrer noopener");
});

test("without a program, creates the branch and shows how to push it", async () => {
  const { dialog } = await open(
    pullRequestViewOf({ tool: { tool: "missing", program: "gh", host: "github.com" } }),
    { run_pull_request_open: { ...result, pushed: false, url: null } },
  );
  expect(await dialog.findByText(/gh isn't installed/)).toBeVisible();
  expect(dialog.queryByRole("switch", { name: "Draft" })).not.toBeInTheDocument();
  await userEvent.click(dialog.getByRole("button", { name: "Create branch" }));
  expect(await dialog.findByText("git push")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Copy the command" })).toBeVisible();
  expect(dialog.queryByRole("link")).not.toBeInTheDocument();
});

test("newer work is added to the branch of an open pull request", async () => {
  const { call, dialog } = await open(
    pullRequestViewOf({
      branchState: "outdated",
      opened: { branch: "baton/sign-in-1", url: "https://github.com/acme/app/pull/7" },
    }),
    { run_pull_request_open: { ...result, existing: true } },
  );
  expect(await dialog.findByRole("link")).toHaveAttribute("href", result.url);
  expect(dialog.getByRole("textbox", { name: "New branch" })).toHaveAccessibleDescription(
    /newer work is added/,
  );
  await userEvent.click(dialog.getByRole("button", { name: "Update pull request" }));
  expect(call).toHaveBeenCalledWith(
    "run_pull_request_open",
    expect.objectContaining({ update: true }),
  );
  expect(await dialog.findByText(/was open already/)).toBeVisible();
});

test("another's branch needs another name", async () => {
  const { call, dialog } = await open(pullRequestViewOf({ branchState: "foreign" }));
  const branch = await dialog.findByRole("textbox", { name: "New branch" });
  expect(branch).toHaveAccessibleDescription(/Choose another name/);
  expect(dialog.getByRole("button", { name: "Open pull request" })).toBeDisabled();
  await userEvent.clear(branch);
  expect(dialog.getByRole("button", { name: "Open pull request" })).toBeDisabled();
  await userEvent.type(branch, "mine{Enter}");
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith(
      "run_pull_request_open",
      expect.objectContaining({ branch: "mine", update: false }),
    ),
  );
});

test("a failure keeps what was written", async () => {
  const refused = new ApiError("refused", "The push to origin failed.", {
    fix: "Push it yourself.",
  });
  const { dialog } = await open(pullRequestViewOf(), { run_pull_request_open: refused });
  const title = await dialog.findByRole("textbox", { name: "Title" });
  await userEvent.type(title, "!{Enter}");
  expect(await dialog.findByRole("alert")).toHaveTextContent(
    "The push to origin failed. Push it yourself.",
  );
  expect(title).toHaveValue("Sign in!");
});

test("says when there is nothing to propose, or when it can't be prepared", async () => {
  const nothing = await open(pullRequestViewOf({ files: [] }));
  expect(await nothing.dialog.findByText(/has no changes to propose/)).toBeVisible();
  expect(nothing.dialog.queryByRole("textbox")).not.toBeInTheDocument();
  nothing.unmount();
  const failed = await open(new ApiError("refused", "The repository has no remote to push to."));
  expect(await failed.dialog.findByText(/no remote to push to/)).toBeVisible();
  expect(failed.dialog.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("lists commits that aren't in the base branch, and remotes to choose from", async () => {
  const { call, dialog } = await open(
    pullRequestViewOf({
      remotes: ["origin", "fork"],
      commits: [{ id: "abc123", subject: "My own commit" }],
    }),
  );
  expect(await dialog.findByText("Also contains 1 commit that isn't in main:")).toBeVisible();
  const commits = dialog.getByRole("list", { name: "Earlier commits" });
  expect(within(commits).getByText("My own commit")).toBeVisible();
  expect(dialog.getByRole("combobox", { name: "Remote" })).toHaveTextContent("origin");
  await userEvent.type(dialog.getByRole("textbox", { name: "Base branch" }), "2");
  expect(dialog.queryByText("My own commit")).not.toBeInTheDocument();
  expect(call).toHaveBeenCalledWith("run_pull_request", {
    run: "run",
    remote: null,
    base: null,
    branch: null,
  });
});

test("an address that isn't of the web is no link", async () => {
  const { dialog } = await open(
    pullRequestViewOf({ opened: { branch: "b", url: "javascript:alert(1)" } }),
  );
  expect(await dialog.findByText("javascript:alert(1)")).toBeVisible();
  expect(dialog.queryByRole("link")).not.toBeInTheDocument();
});
