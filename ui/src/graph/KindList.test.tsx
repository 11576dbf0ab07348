import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { KindList } from "./KindList";

test.each([
  ["quest", "user_input"],
  ["Tool", "tool_call"],
  ["plan", "sub_plan"],
  ["http", "tool_call"],
  ["else", "condition"],
])("Enter after %s adds the kind that was meant", async (typed, kind) => {
  const onChoose = vi.fn();
  render(<KindList onChoose={onChoose} onClose={vi.fn()} />);
  await userEvent.type(screen.getByRole("combobox"), `${typed}{Enter}`);
  expect(onChoose.mock.calls).toEqual([[kind]]);
});
