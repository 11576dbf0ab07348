import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Combobox } from "./Combobox";

test.each(["{ArrowDown}", "{ArrowUp}"])("%s opens the list, and Enter chooses", async (key) => {
  const onChange = vi.fn();
  const options = [
    { id: "a", label: "First" },
    { id: "b", label: "Second" },
  ];
  render(<Combobox label="Blueprint" options={options} value={[]} onChange={onChange} />);
  screen.getByRole("combobox").focus();
  await userEvent.keyboard(key);
  expect(await screen.findByRole("option", { name: "First" })).toBeVisible();
  await userEvent.keyboard("sec{Enter}");
  expect(onChange).toHaveBeenCalledExactlyOnceWith(["b"]);
});
