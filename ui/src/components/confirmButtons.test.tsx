import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Button } from "./Button";
import { Combobox } from "./Combobox";
import { ConfirmDialog } from "./ConfirmDialog";
import { IconButton } from "./IconButton";
import { Menu } from "./Menu";
import { SegmentedControl } from "./SegmentedControl";
import { TextField } from "./TextField";
import { TooltipProvider } from "./Tooltip";

test("a busy button stays in the tab order and ignores presses", async () => {
  const onClick = vi.fn();
  render(
    <Button busy onClick={onClick}>
      Save
    </Button>,
  );
  await userEvent.tab();
  expect(screen.getByRole("button", { name: "Save" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(onClick).not.toHaveBeenCalled();
});

test("a destructive confirmation focuses Cancel, and Enter cancels", async () => {
  const onConfirm = vi.fn();
  const onOpenChange = vi.fn();
  render(
    <ConfirmDialog
      open
      onOpenChange={onOpenChange}
      title="Delete blueprint “Release notes”?"
      confirmLabel="Delete blueprint"
      onConfirm={onConfirm}
    >
      This cannot be undone.
    </ConfirmDialog>,
  );
  expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(onOpenChange).toHaveBeenCalledWith(false);
  expect(onConfirm).not.toHaveBeenCalled();
});

test("an icon button opens a menu with the keyboard", async () => {
  const onSelect = vi.fn();
  render(
    <TooltipProvider>
      <Menu entries={[{ kind: "act", label: "Export", onSelect }]}>
        <IconButton label="More" icon={<svg />} />
      </Menu>
    </TooltipProvider>,
  );
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  await userEvent.keyboard("{Enter}");
  expect(onSelect).toHaveBeenCalledOnce();
});

test("pressing the selected segment keeps it selected", async () => {
  const onChange = vi.fn();
  render(
    <SegmentedControl
      label="View"
      value="graph"
      onChange={onChange}
      options={[
        { id: "graph", label: "Graph" },
        { id: "list", label: "List" },
      ]}
    />,
  );
  await userEvent.click(screen.getByRole("radio", { name: "Graph" }));
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("radio", { name: "List" }));
  expect(onChange).toHaveBeenCalledWith("list");
});

test("several options are selected and cleared by typing and Enter", async () => {
  const onChange = vi.fn();
  render(
    <Combobox
      label="Depends on"
      multiple
      value={["a"]}
      onChange={onChange}
      options={[
        { id: "a", label: "Inspect" },
        { id: "b", label: "Count lines" },
      ]}
    />,
  );
  await userEvent.click(screen.getByRole("combobox", { name: "Depends on" }));
  await userEvent.keyboard("coun{Enter}");
  expect(onChange).toHaveBeenLastCalledWith(["a", "b"]);
  await userEvent.keyboard("{Backspace}{Backspace}{Backspace}{Backspace}insp{Enter}");
  expect(onChange).toHaveBeenLastCalledWith([]);
});

test("an invalid field describes its error to screen readers", () => {
  render(<TextField label="Command" value="" onChange={() => {}} error="Write a command." />);
  const field = screen.getByRole("textbox", { name: "Command" });
  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription("Write a command.");
});
