import { configure, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Check, DoctorView } from "@/api/bindings";
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

test("every section is shown with its fixes", async () => {
  const { asked } = renderApp("/doctor", { doctor: () => view });
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
  expect(connections.getByText("Claude: connected.")).toBeVisible();
  expect(
    connections.getByRole("button", { name: "Copy baton agents connect gemini" }),
  ).toBeVisible();
  const report = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  expect(report.violations.map(({ id }) => id)).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  expect(asked("doctor")).toHaveLength(2);
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
