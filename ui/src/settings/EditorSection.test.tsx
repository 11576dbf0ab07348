import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { EditorList, EditorSetting, Settings } from "@/api/bindings";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { EditorSection } from "./EditorSection";
import { commandFault } from "./editorOptions";

const list: EditorList = {
  editors: [
    { editor: "vs_code", label: "VS Code", program: null },
    { editor: "zed", label: "Zed", program: "/usr/bin/zeditor" },
  ],
  automatic: "zed",
  environment: null,
};

function open(editor?: EditorSetting, editors: EditorList = list) {
  let settings: Settings = {
    theme: "dark",
    defaultAgent: "claude",
    takeoverAllowed: true,
    guardedTools: [],
    proposalDays: { automatic: 7, asked: 30 },
    ...(editor && { editor }),
  };
  const { backend } = fakeBackend({
    editors_list: () => editors,
    settings_get: () => settings,
    settings_save: (next) => {
      settings = next;
      return next;
    },
  });
  renderAtPath(backend, <EditorSection />);
  return { saved: () => settings.editor };
}

const select = () => screen.findByRole("combobox", { name: "Open files in" });

test("editors found on this machine are marked and come first", async () => {
  const { saved } = open();
  expect(await select()).toHaveTextContent("Automatic");
  await userEvent.click(await select());
  const options = screen.getAllByRole("option").map((option) => option.textContent);
  expect(options).toEqual([
    "AutomaticZed",
    "ZedFound",
    "VS CodeNot found",
    "$VISUAL or $EDITORNot set",
    "Custom command…",
    "Read-only view",
  ]);
  expect(screen.getByRole("option", { name: /VISUAL/ })).toHaveAttribute("aria-disabled", "true");
  await userEvent.click(screen.getByRole("option", { name: /^Zed/ }));
  await waitFor(() => expect(saved()).toEqual({ kind: "known", editor: "zed" }));
  expect(await screen.findByText("/usr/bin/zeditor")).toBeVisible();
});

test("a chosen editor that is not installed says so", async () => {
  open({ kind: "known", editor: "vs_code" });
  expect(await screen.findByText(/Not found on this machine/)).toBeVisible();
});

test("an editor of the environment needs a window", async () => {
  const environment = { variable: "EDITOR", command: "gedit --wait" };
  const { saved } = open(undefined, { ...list, environment });
  await userEvent.click(await select());
  await userEvent.click(screen.getByRole("option", { name: /\$EDITOR/ }));
  await waitFor(() => expect(saved()).toEqual({ kind: "environment" }));
  expect(await screen.findByText(/must have a window of its own/)).toBeVisible();
});

test("a custom command is stored only when it is complete", async () => {
  const { saved } = open();
  await userEvent.click(await select());
  await userEvent.click(screen.getByRole("option", { name: "Custom command…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Custom editor" }));
  const save = dialog.getByRole("button", { name: "Save command" });
  expect(save).toBeDisabled();
  await userEvent.type(dialog.getByLabelText("Program"), "gvim");
  const argument = dialog.getByLabelText("Argument 1");
  await userEvent.clear(argument);
  expect(dialog.getByText(/Add an argument that contains/)).toBeVisible();
  expect(save).toBeDisabled();
  expect(saved()).toBeUndefined();
  await userEvent.type(argument, "{{path}");
  await userEvent.click(save);
  await waitFor(() => expect(saved()).toEqual({ kind: "custom", argv: ["gvim", "{path}"] }));
  expect(await screen.findByText("gvim {path}")).toBeVisible();
});

test.each([
  [["gvim", "+{line}", "{path}"], undefined],
  [["e", "{}", "{A}", "{path}:{column}"], undefined],
  [["", "{path}"], "Enter the name"],
  [["{path}"], "only in arguments"],
  [["gvim", "{line}"], "contains {path}"],
  [["gvim", "{file}", "{path}"], "{file}"],
])("the command %j is checked", (argv, fault) => {
  const found = commandFault(argv);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});
