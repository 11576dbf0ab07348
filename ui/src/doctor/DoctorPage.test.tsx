import { configure, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Check, DoctorView } from "@/api/bindings";
import { openWindow } from "@/app/openWindow";
import { doctorWords } from "./doctorWords";

configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });
vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

function check(verdict: Check["verdict"], sentence: string, mend: string | null = null): Check {
  return { verdict, sentence, mend, node: null };
}

const view: DoctorView = {
  sections: [
    {
      subject: { kind: "agent", id: "claude", default: true },
      title: "Claude Code",
      checks: [check("failed", "it was not found", "install it with npm"), check("passed", "fine")],
    },
    {
      subject: { kind: "agent", id: "pi", default: false },
      title: "pi",
      checks: [check("warning", "no trace of a login was found", "log in")],
    },
    { subject: { kind: "git" }, title: "Git", checks: [check("passed", "git version 2.47")] },
  ],
};

test("every subject is shown with what to do about it", async () => {
  const { asked } = openWindow("/doctor", { doctor: () => view });
  const claude = within(await screen.findByRole("region", { name: "Claude Code" }));
  expect(claude.getByText("Install it with npm.")).toBeVisible();
  expect(claude.getByLabelText("Missing")).toBeVisible();
  expect(claude.getByText("Default agent")).toBeVisible();
  expect(screen.getByText("1 missing, 1 doubtful")).toBeVisible();
  const report = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  expect(report.violations.map(({ id }) => id)).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Look again" }));
  expect(asked("doctor")).toHaveLength(2);
});

test("what cannot be looked at can be tried again", async () => {
  openWindow("/doctor", {
    doctor: () => {
      throw new ApiError("unavailable", "The disk does not answer.");
    },
  });
  expect(await screen.findByText("The disk does not answer.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("nothing missing is told in a word", () => {
  expect(doctorWords([])).toBe("Everything is in order");
});
