import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Tabs } from "./Tabs";

test("Tab reaches the selected tab, also after it was pressed twice", async () => {
  const tabs = [
    { id: "task", label: "Task", content: "First" },
    { id: "handoff", label: "Handoff", content: "Second" },
  ];
  render(
    <>
      <button type="button">Before</button>
      <Tabs label="Node" tabs={tabs} value="handoff" onChange={() => undefined} />
    </>,
  );
  const selected = screen.getByRole("tab", { name: "Handoff" });
  await userEvent.click(selected);
  await userEvent.click(selected);
  screen.getByRole("button", { name: "Before" }).focus();
  await userEvent.tab();
  expect(selected).toHaveFocus();
});
