import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { McpServer, ServerTool } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import type { FakeAnswers } from "@/shell/renderWithBackend";
// The page is normally loaded on first use. Importing it here loads it in advance.
import "./SettingsPage";

// Rendering is slow on a busy machine.
configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });

// axe uses the canvas to detect icon fonts, which Baton does not have.
vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
});

const notes: McpServer = {
  name: "notes",
  transport: { kind: "stdio", command: "notes-server", args: [], env: { API_KEY: "hush" } },
  trusted: ["search"],
};
const far: McpServer = {
  name: "far",
  transport: { kind: "http", url: "https://far/mcp", headers: {} },
  trusted: [],
};

function toolOf(name: string, readOnly: boolean, destructive: boolean): ServerTool {
  return { server: "notes", name, description: "", inputSchema: {}, readOnly, destructive };
}

const offered = [
  toolOf("search", true, false),
  toolOf("erase", false, true),
  toolOf("add", false, false),
];

function open(servers: McpServer[], answers: FakeAnswers = {}) {
  let kept = servers;
  return renderApp("/settings", {
    settings_get: () => ({
      theme: "dark",
      defaultAgent: "claude",
      takeoverAllowed: true,
      guardedTools: [],
      proposalDays: { automatic: 7, asked: 30 },
    }),
    teams_list: () => [],
    agents_list: () => [],
    tool_servers_list: () => kept,
    tools_of_servers: () => [...offered, { server: "far", error: "nothing is listening at far" }],
    tool_server_save: (server) => {
      kept = [...kept.filter(({ name }) => name !== server.name), server];
      return kept;
    },
    tool_server_delete: ({ name }) => {
      kept = kept.filter((server) => server.name !== name);
      return kept;
    },
    ...answers,
  });
}

const section = () => screen.findByRole("region", { name: "Tool servers" });

async function faults(): Promise<string[]> {
  // Color contrast is checked in a real browser.
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  return violations.map(({ id, help }) => `${id}: ${help}`);
}

test("each server shows its tools or an error, and can be checked again", async () => {
  const { asked } = open([notes, far]);
  const part = within(await section());
  expect(await part.findByText("3 tools")).toBeVisible();
  expect(part.getByText("Nothing is listening at far.")).toBeVisible();
  expect(part.getByText(/that the server runs at this address/)).toBeVisible();
  expect(part.queryByText(/hush/)).not.toBeInTheDocument();

  await userEvent.click(part.getByText("Show tools of notes"));
  const words = (name: string) => part.getByText(`notes/${name}`).closest("li")?.textContent;
  expect(words("search")).toContain("TrustedRead-only");
  expect(words("erase")).toContain("Destructive");
  expect(words("add")).toContain("Makes changes");

  await userEvent.click(part.getByRole("button", { name: "Check" }));
  await waitFor(() => expect(asked("tools_of_servers")).toHaveLength(2));
  expect(await faults()).toEqual([]);
});

test("nothing is queried without servers", async () => {
  const { asked } = open([]);
  expect(await screen.findByText(/No servers yet/)).toBeVisible();
  expect(asked("tools_of_servers")).toEqual([]);
  expect(screen.queryByRole("button", { name: "Check" })).not.toBeInTheDocument();
});

test("an HTTP server can be added, with its key masked", async () => {
  const { asked } = open([]);
  await userEvent.click(await screen.findByRole("button", { name: "Add server" }));
  const dialog = within(await screen.findByRole("dialog"));
  const add = dialog.getByRole("button", { name: "Add server" });
  await userEvent.type(dialog.getByLabelText("Name"), "far");
  await userEvent.click(dialog.getByRole("radio", { name: "Address" }));
  expect(add).toBeDisabled();
  await userEvent.type(dialog.getByRole("textbox", { name: "Address" }), "https://far/mcp");
  await userEvent.click(dialog.getByRole("button", { name: "Add header" }));
  await userEvent.type(dialog.getByLabelText("Name of header 1"), "Authorization");
  const value = dialog.getByLabelText("Value of header 1");
  await userEvent.type(value, "Bearer x");
  expect(value).toHaveAttribute("type", "password");
  await userEvent.click(dialog.getByRole("button", { name: "Show value of header 1" }));
  expect(value).toHaveAttribute("type", "text");
  expect(await faults()).toEqual([]);
  await userEvent.click(add);
  const transport = {
    kind: "http",
    url: "https://far/mcp",
    headers: { Authorization: "Bearer x" },
  };
  await waitFor(() =>
    expect(asked("tool_server_save")).toEqual([{ name: "far", transport, trusted: [] }]),
  );
});

test("known tools can be trusted one by one or all together", async () => {
  const { asked } = open([notes]);
  await screen.findByText("3 tools");
  await userEvent.click(screen.getByRole("button", { name: "Edit notes" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByLabelText("Name")).toBeDisabled();
  expect(dialog.getByRole("checkbox", { name: /search/ })).toBeChecked();
  await userEvent.click(dialog.getByRole("checkbox", { name: /add/ }));
  await userEvent.click(dialog.getByRole("checkbox", { name: /search/ }));
  await userEvent.click(dialog.getByRole("button", { name: "Save server" }));
  await waitFor(() => expect(asked("tool_server_save")).toEqual([{ ...notes, trusted: ["add"] }]));
});

test("a backend error stays in the dialog with the input", async () => {
  open([], {
    tool_server_save: () => {
      throw new ApiError("bad_input", "the disk is full");
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Add server" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText("Name"), "far");
  await userEvent.type(dialog.getByLabelText("Program"), "run");
  await userEvent.click(dialog.getByRole("button", { name: "Add server" }));
  expect(await dialog.findByText("the disk is full")).toBeVisible();
  expect(dialog.getByLabelText("Program")).toHaveValue("run");
});

test("removing a server asks for confirmation", async () => {
  const { asked } = open([notes, far]);
  await userEvent.click(await screen.findByRole("button", { name: "Delete far" }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText(/fail until you add a server with this name/)).toBeVisible();
  await userEvent.click(question.getByRole("button", { name: "Delete server" }));
  await waitFor(() => expect(asked("tool_server_delete")).toEqual([{ name: "far" }]));
  await waitFor(() => expect(screen.queryByText("https://far/mcp")).not.toBeInTheDocument());
});

test("a failure to load servers is shown; a failed tool query keeps the rows", async () => {
  open([notes], {
    tools_of_servers: () => {
      throw new ApiError("internal", "couldn't query the servers");
    },
  });
  expect(await screen.findByText("couldn't query the servers")).toBeVisible();
  expect(screen.getByText("Not checked")).toBeVisible();
});
