import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { InboxRequest } from "@/api/bindings";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { numberedAnswer } from "./answerKeys";
import { interrupted, permission } from "./inboxFixture";
import { NodePendingItem } from "./NodePendingItem";

const nothing = () => ({}) as never;

/** Shows a question of the node "Deploy" with the focus on one of its controls. */
function ask(
  question: InboxRequest,
  focus: { role: "button" | "radio" | "textbox"; name: string },
) {
  const item = { run: "run", node: "deploy", title: "Deploy", session: null, ask: question };
  const backend = renderWithBackend(<NodePendingItem item={item} />, {
    node_input: nothing,
    node_answer: nothing,
    node_approve: nothing,
    node_retry: nothing,
    node_skip: nothing,
  });
  screen.getByRole(focus.role, { name: focus.name }).focus();
  return backend;
}

const input = (facts: object): InboxRequest => ({
  ...{ kind: "input", question: "Which?", inputType: "choice", options: [], due: null },
  ...facts,
});

test("a number sends the option with this number", async () => {
  const options = ["blue", "green", "red"];
  const { asked } = ask(input({ options }), { role: "radio", name: "blue" });
  await userEvent.keyboard("4");
  expect(asked("node_input")).toEqual([]);
  await userEvent.keyboard("2");
  expect(asked("node_input")).toEqual([{ run: "run", node: "deploy", value: "green" }]);
});

test("the tenth option has no number", () => {
  const options = Array.from({ length: 11 }, (_, at) => `Option ${at + 1}`);
  ask(input({ options }), { role: "radio", name: "Option 1" });
  expect(screen.getByRole("radio", { name: "Option 9" })).toHaveAttribute("aria-keyshortcuts", "9");
  expect(screen.getByRole("radio", { name: "Option 10" })).not.toHaveAttribute("data-number");
});

test("a number in a field is text", async () => {
  const { asked } = ask(input({ inputType: "text" }), { role: "textbox", name: "Answer" });
  await userEvent.keyboard("12");
  expect(screen.getByRole("textbox", { name: "Answer" })).toHaveValue("12");
  expect(asked("node_input")).toEqual([]);
});

test("yes and no need one key", async () => {
  const { asked } = ask(input({ inputType: "confirm" }), { role: "button", name: "Yes" });
  await userEvent.keyboard("2");
  expect(asked("node_input")).toEqual([{ run: "run", node: "deploy", value: "no" }]);
});

test("what lets a tool run needs Enter too, and denying doesn't", async () => {
  const { asked } = ask(permission, { role: "button", name: "Deny" });
  await userEvent.keyboard("3");
  expect(screen.getByRole("button", { name: "Allow for this blueprint" })).toHaveFocus();
  expect(asked("node_answer")).toEqual([]);
  await userEvent.keyboard("1{Enter}");
  const [first] = asked("node_answer");
  expect(first).toMatchObject({ answer: { kind: "allow_once" } });
});

test("denying needs one key, and a reason is asked for", async () => {
  const { asked } = ask(permission, { role: "button", name: "Allow once" });
  await userEvent.keyboard("5");
  await userEvent.type(screen.getByRole("textbox", { name: "Reason" }), "4 reasons{Enter}");
  expect(asked("node_answer")).toMatchObject([{ answer: { kind: "deny", reason: "4 reasons" } }]);
});

test.each<[string, InboxRequest, string, "node_approve" | "node_retry"]>([
  ["approval", { kind: "approval", question: "Start 'Deploy'?" }, "Approve", "node_approve"],
  ["retry", interrupted, "Retry", "node_retry"],
])("the number of an %s only moves the focus", async (_, question, name, operation) => {
  const other = question.kind === "approval" ? "Reject" : "Skip";
  const { asked } = ask(question, { role: "button", name: other });
  await userEvent.keyboard("1");
  expect(screen.getByRole("button", { name })).toHaveFocus();
  expect(asked(operation)).toEqual([]);
  await userEvent.keyboard("{Enter}");
  expect(asked(operation)).toHaveLength(1);
});

test("numbers with a modifier, and held numbers, choose nothing", async () => {
  const { asked } = ask(input({ inputType: "confirm" }), { role: "button", name: "Yes" });
  await userEvent.keyboard("{Control>}1{/Control}{Alt>}1{/Alt}");
  expect(asked("node_input")).toEqual([]);
});

test("an answer keeps its own shortcut beside the number", () => {
  const onClick = vi.fn();
  render(
    <button type="button" {...numberedAnswer({ at: 0, keys: "A" })} onClick={onClick}>
      Allow
    </button>,
  );
  expect(screen.getByRole("button")).toHaveAttribute("aria-keyshortcuts", "A 1");
});
