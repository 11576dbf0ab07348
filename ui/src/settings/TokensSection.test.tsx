import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { TokenView } from "@/api/bindings";
import { useToasts } from "@/components/toasts";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { TokensSection } from "./TokensSection";

vi.setConfig({ testTimeout: 20_000 });

const secret = "ab".repeat(32);

function tokenOf(name: string, facts: Partial<TokenView> = {}): TokenView {
  return { name, surface: "read", createdAt: 1_000, usedAt: null, ...facts };
}

function open(tokens: TokenView[], answers: FakeAnswers = {}) {
  let left = tokens;
  return renderWithBackend(<TokensSection />, {
    tokens_list: () => left,
    token_create: ({ name, surface }) => {
      const view = tokenOf(name, { surface });
      left = [...left, view];
      return { token: secret, view };
    },
    token_revoke: ({ name }) => {
      left = left.filter((token) => token.name !== name);
      return left;
    },
    ...answers,
  });
}

const row = async (name: string) => {
  const list = await screen.findByRole("list", { name: "Access tokens" });
  const heading = within(list).getByRole("heading", { name });
  return heading.closest("li") as HTMLElement;
};

test("tokens are listed with scope, creation and last use", async () => {
  open([
    tokenOf("browser", { surface: "decide", usedAt: Date.now() - 120_000 }),
    tokenOf("ci", { surface: "write" }),
  ]);
  const browser = await row("browser");
  expect(browser).toHaveTextContent("Decide");
  expect(browser).toHaveTextContent(/Created .* Last used 2 min/);
  expect(browser).toHaveTextContent("Used by the pages of baton serve.");
  const ci = await row("ci");
  expect(ci).toHaveTextContent("Write");
  expect(ci).toHaveTextContent("Never used");
  expect(ci).not.toHaveTextContent("baton serve");
});

test("a new token defaults to Read and is shown once with Copy", async () => {
  const { asked } = open([]);
  expect(await screen.findByText(/^No tokens/)).toBeVisible();
  // `setup` adds a clipboard to the page.
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Create token" }));
  const dialog = await screen.findByRole("dialog", { name: "Create an access token" });
  const create = within(dialog).getByRole("button", { name: "Create token" });
  expect(create).toBeDisabled();
  await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "ci");
  expect(dialog).toHaveTextContent("Can't change anything.");
  await user.click(create);
  expect(asked("token_create")).toEqual([{ name: "ci", surface: "read" }]);

  const shown = await screen.findByRole("dialog", { name: "Token “ci” created" });
  expect(within(shown).getByText(secret)).toBeVisible();
  expect(shown).toHaveTextContent("can't be shown again");
  await user.click(within(shown).getByRole("button", { name: "Copy token" }));
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.click(within(shown).getByRole("button", { name: "Done" }));
  expect(screen.queryByText(secret)).toBeNull();
  expect(await row("ci")).toHaveTextContent("Read");
});

test("Decide shows a warning", async () => {
  const { asked } = open([]);
  await userEvent.click(await screen.findByRole("button", { name: "Create token" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Name" }), "robot");
  const surface = screen.getByRole("combobox", { name: "Access" });
  surface.focus();
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("option", { name: "Decide" }));
  expect(screen.getByText(/approve blueprints, answer questions/)).toBeVisible();
  const dialog = screen.getByRole("dialog");
  await userEvent.click(within(dialog).getByRole("button", { name: "Create token" }));
  expect(asked("token_create")).toEqual([{ name: "robot", surface: "decide" }]);
});

test("invalid names are rejected, and server errors stay in the dialog", async () => {
  open([tokenOf("ci")], {
    token_create: () => {
      throw new ApiError("conflict", "A token 'x' already exists.");
    },
  });
  await row("ci");
  await userEvent.click(screen.getByRole("button", { name: "Create token" }));
  const dialog = await screen.findByRole("dialog");
  const name = within(dialog).getByRole("textbox", { name: "Name" });
  const create = within(dialog).getByRole("button", { name: "Create token" });
  for (const taken of ["browser", "ci", "a/b"]) {
    await userEvent.clear(name);
    await userEvent.type(name, taken);
    expect(name, taken).toBeInvalid();
    expect(create, taken).toBeDisabled();
  }
  await userEvent.clear(name);
  await userEvent.type(name, "x");
  await userEvent.click(create);
  expect(await within(dialog).findByRole("alert")).toHaveTextContent("A token 'x' already exists.");
});

test("revoking a token asks for confirmation", async () => {
  const { asked } = open([tokenOf("browser", { surface: "decide" }), tokenOf("ci")]);
  await row("ci");
  await userEvent.click(screen.getByRole("button", { name: "Revoke browser" }));
  const question = await screen.findByRole("alertdialog", { name: "Revoke token “browser”?" });
  expect(question).toHaveTextContent(
    "Every open page of baton serve loses access, including this one.",
  );
  await userEvent.click(within(question).getByRole("button", { name: "Cancel" }));
  expect(asked("token_revoke")).toEqual([]);

  await userEvent.click(screen.getByRole("button", { name: "Revoke ci" }));
  const second = await screen.findByRole("alertdialog", { name: "Revoke token “ci”?" });
  await userEvent.click(within(second).getByRole("button", { name: "Revoke token" }));
  expect(asked("token_revoke")).toEqual([{ name: "ci" }]);
  await waitFor(() => expect(screen.queryByRole("heading", { name: "ci" })).toBeNull());
});

test("a failed revocation is reported", async () => {
  open([tokenOf("ci")], {
    token_revoke: () => {
      throw new ApiError("forbidden", "This token is for 'read'.");
    },
  });
  await row("ci");
  await userEvent.click(screen.getByRole("button", { name: "Revoke ci" }));
  await userEvent.click(await screen.findByRole("button", { name: "Revoke token" }));
  await waitFor(() =>
    expect(useToasts.getState().toasts).toMatchObject([
      { title: "Couldn't revoke the token", detail: "This token is for 'read'." },
    ]),
  );
  expect(await row("ci")).toBeVisible();
});

test("a failure to load tokens can be retried", async () => {
  const read = vi.fn<() => TokenView[]>(() => {
    throw new ApiError("unavailable", "The disk is gone.");
  });
  open([], { tokens_list: read });
  expect(await screen.findByText("The disk is gone.")).toBeVisible();
  read.mockReturnValue([tokenOf("ci")]);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await row("ci")).toBeVisible();
});
