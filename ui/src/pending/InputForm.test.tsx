import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { TooltipProvider } from "@/components/Tooltip";
import type { InputAsk } from "./answerError";
import { InputForm } from "./InputForm";

function open(facts: Partial<InputAsk>) {
  const onSend = vi.fn();
  const ask: InputAsk = {
    kind: "input",
    question: "Which?",
    inputType: "text",
    options: [],
    due: null,
    ...facts,
  };
  render(
    <TooltipProvider>
      <InputForm ask={ask} draftName="answer/test" onSend={onSend} />
    </TooltipProvider>,
  );
  return onSend;
}

test("Enter sends, Shift+Enter inserts a newline, and an empty answer is rejected", async () => {
  const onSend = open({});
  const field = screen.getByRole("textbox", { name: "Answer" });
  await userEvent.type(field, " {Enter}");
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByText("Enter an answer.")).toBeVisible();
  expect(field).toBeInvalid();
  await userEvent.clear(field);
  await userEvent.type(field, "one{Shift>}{Enter}{/Shift}two{Enter}");
  expect(onSend).toHaveBeenCalledExactlyOnceWith("one\ntwo");
});

test("a choice is one of the options", async () => {
  const onSend = open({ inputType: "choice", options: ["blue", "green"] });
  await userEvent.click(screen.getByRole("button", { name: "Send answer" }));
  expect(screen.getByRole("alert")).toHaveTextContent("Select an answer");
  await userEvent.click(screen.getByRole("radio", { name: "green" }));
  await userEvent.keyboard("{Enter}");
  expect(onSend).toHaveBeenCalledExactlyOnceWith("green");
});

test("yes and no are sent immediately", async () => {
  const onSend = open({ inputType: "confirm" });
  await userEvent.click(screen.getByRole("button", { name: "No" }));
  expect(onSend).toHaveBeenCalledExactlyOnceWith("no");
});
