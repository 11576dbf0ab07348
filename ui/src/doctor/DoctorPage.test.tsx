import { configure, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type {
  AgentConnection,
  AgentConnectionPreview,
  Check,
  DoctorView,
  GuardedCall,
} from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { summarizeChecks } from "./summarizeChecks";

configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });
vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

function check(verdict: Check["verdict"], sentence: string, mend: string | null = null): Check {
  return { verdict, sentence, mend, node: null };
}

const view: DoctorView = {
  sections: [
    {
      subject: { kind: "agent", id: "claude", default: true, used: true },
      title: "Claude Code",
      checks: [check("failed", "it was not found", "install it with npm"), check("passed", "fine")],
    },
    {
      subject: { kind: "agent", id: "pi", default: false, used: true },
      title: "pi",
      checks: [check("warning", "no login found", "log in")],
    },
    {
      subject: { kind: "agent", id: "codex", default: false, used: false },
      title: "Codex",
      checks: [check("passed", "optional: Codex was not found", "run `npm i -g codex`")],
    },
    {
      subject: { kind: "connections" },
      title: "Baton's tools in agents",
      checks: [
        check("passed", "claude: connected"),
        check("passed", "gemini: not connected", "run `baton agents connect gemini`"),
      ],
    },
    { subject: { kind: "git" }, title: "Git", checks: [check("passed", "git version 2.47")] },
  ],
};

function agent(id: string, more: Partial<AgentConnection> = {}): AgentConnection {
  const connection = { state: "connected" } as const;
  return { agent: id, used: true, connection, guard: null, canGuard: true, ...more };
}

const agents = [
  agent("claude", { guard: "block" }),
  agent("codex", { connection: { state: "unreadable", reason: "couldn't read config.toml" } }),
  agent("gemini", { connection: { state: "not_connected" } }),
  agent("opencode", { connection: { state: "outdated" }, canGuard: false }),
  agent("pi", { used: false, canGuard: false }),
];

const preview: AgentConnectionPreview = {
  files: [
    {
      agent: "gemini",
      path: "/home/ada/.gemini/settings.json",
      effect: "changed",
      diff: '@@ -1,2 +1,3 @@\n {\n+  "mcpServers": {},\n-  "theme": 1\n',
    },
  ],
  notes: [{ note: "hook_needs_trust", agent: "gemini" }],
  fingerprint: "f1",
};

const call: GuardedCall = {
  at: 1_700_000_000_000,
  agent: "claude",
  tool: "Bash",
  what: "Bash rm -rf build",
  cwd: "/srv/shop",
  session: null,
  refused: true,
};

const backend = {
  doctor: () => view,
  agent_connections_list: () => agents,
  agent_connections_preview: () => preview,
  guarded_calls_list: () => [call],
};

test("every section is shown with its fixes", async () => {
  const { asked } = renderApp("/doctor", backend);
  const claude = within(await screen.findByRole("region", { name: "Claude Code" }));
  expect(claude.getByText("Install it with npm.")).toBeVisible();
  expect(claude.getAllByLabelText("Failed")).toHaveLength(2);
  expect(claude.getByText("Default agent")).toBeVisible();
  expect(screen.getByText("1 failed, 1 warning")).toBeVisible();
  const unused = within(screen.getByRole("region", { name: "Codex" }));
  expect(unused.getByText("Optional")).toBeVisible();
  expect(unused.queryByLabelText("Warning")).toBeNull();
  expect(unused.queryByLabelText("Passed"), "nothing was tested").toBeNull();
  expect(unused.getByRole("button", { name: "Copy npm i -g codex" })).toBeVisible();
  const connections = within(screen.getByRole("region", { name: "Baton's tools in agents" }));
  expect(await connections.findByText(/^Claude: connected; .* are refused\.$/)).toBeVisible();
  expect(connections.getByText("Codex: couldn't read config.toml.")).toBeVisible();
  expect(connections.getByText(/^Opencode: connected to another Baton/)).toBeVisible();
  expect(connections.queryByText(/^Pi:/), "it has no settings here").toBeNull();
  expect(connections.getByText("Bash rm -rf build")).toBeVisible();
  expect(connections.getByText("Refused")).toBeVisible();
  const report = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  expect(report.violations.map(({ id }) => id)).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  expect(asked("doctor")).toHaveLength(2);
});

test("an agent is connected after its changed files were shown", async () => {
  let saved: unknown;
  const { asked } = renderApp("/doctor", {
    ...backend,
    agent_connections_save: (input) => {
      saved = input;
      return preview;
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Connect… gemini" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Connect gemini to Baton" }));
  expect(await dialog.findByText(/^\+.*mcpServers/)).toBeVisible();
  expect(dialog.getByText(/only after you trusted it/)).toBeVisible();
  expect(asked("agent_connections_preview")[0]).toEqual({
    agents: ["gemini"],
    change: { to: "connected", guard: "off" },
  });
  await userEvent.click(dialog.getByRole("combobox", { name: "Connection" }));
  await userEvent.click(await screen.findByRole("option", { name: /guarded tools are refused/ }));
  const report = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  expect(report.violations.map(({ id }) => id)).toEqual([]);
  const write = dialog.getByRole("button", { name: "Write changes" });
  await vi.waitFor(() => expect(write).toBeEnabled());
  await userEvent.click(write);
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(saved).toEqual({
    agents: ["gemini"],
    change: { to: "connected", guard: "block" },
    fingerprint: "f1",
  });
  expect(asked("agent_connections_list")).toHaveLength(2);
});

test("nothing is written if the files are as they should be, or can't be read", async () => {
  let files = preview.files;
  renderApp("/doctor", {
    ...backend,
    agent_connections_preview: ({ change }) => {
      if (change.to === "disconnected") throw new ApiError("refused", "The file is damaged.");
      return { ...preview, files, notes: [] };
    },
  });
  files = [];
  await userEvent.click(await screen.findByRole("button", { name: "Change… opencode" }));
  const name = "Change the connection of opencode";
  const dialog = within(await screen.findByRole("dialog", { name }));
  expect(await dialog.findByText(/^Nothing to change/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Write changes" })).toBeDisabled();
  await userEvent.click(dialog.getByRole("combobox", { name: "Connection" }));
  await userEvent.click(await screen.findByRole("option", { name: "Not connected" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("The file is damaged.");
  expect(dialog.getByRole("button", { name: "Write changes" })).toBeDisabled();
});

test("a failed check can be retried", async () => {
  renderApp("/doctor", {
    doctor: () => {
      throw new ApiError("unavailable", "The disk does not answer.");
    },
  });
  expect(await screen.findByText("The disk does not answer.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("reports when everything is OK", () => {
  expect(summarizeChecks([])).toBe("All checks passed");
});
