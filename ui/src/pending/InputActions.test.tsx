import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import { draftNames, readDraft } from "@/shell/drafts";
import { renderWithBackend } from "@/shell/renderWithBackend";
import type { InputAsk } from "./answerError";
import { InputActions } from "./InputActions";

const target = { run: "run", node: "ask" };
const ask: InputAsk = {
  kind: "input",
  question: "Which?",
  inputType: "text",
  options: [],
  due: null,
};

function actions(onDone = vi.fn()) {
  return <InputActions target={target} title="Ask" ask={ask} onDone={onDone} />;
}

test("a sent answer isn't kept", async () => {
  const onDone = vi.fn();
  renderWithBackend(actions(onDone), { node_input: () => ({}) as never });
  await userEvent.type(screen.getByRole("textbox", { name: "Answer" }), "Harbor");
  expect(readDraft("answer/run/ask")?.value).toBe("Harbor");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith("Answered Ask"));
  expect(draftNames("answer/")).toEqual([]);
});

test("an answer that couldn't be sent is kept", async () => {
  renderWithBackend(actions(), {
    node_input: () => {
      throw new ApiError("unavailable", "The disk is full.");
    },
  });
  await userEvent.type(screen.getByRole("textbox", { name: "Answer" }), "Harbor{Enter}");
  expect(await screen.findByText("The disk is full.", { exact: false })).toBeVisible();
  expect(readDraft("answer/run/ask")?.value).toBe("Harbor");
});
