import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useRef, useState } from "react";
import { expect, test } from "vitest";
import { useFocusRecovery } from "./useFocusRecovery";

function List() {
  const frame = useRef<HTMLDivElement>(null);
  const [rows, setRows] = useState(["one", "two"]);
  useFocusRecovery(frame, () => frame.current?.querySelector("button"));
  const remove = (row: string) => setRows((left) => left.filter((each) => each !== row));
  return (
    <>
      <div ref={frame}>
        {rows.map((row) => (
          <button key={row} type="button" onClick={() => remove(row)}>
            {row}
          </button>
        ))}
      </div>
      <button type="button" onClick={() => remove("two")}>
        outside
      </button>
    </>
  );
}

test("moves focus to the successor when the focused element is removed", async () => {
  render(<List />);
  screen.getByRole("button", { name: "two" }).focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("button", { name: "one" })).toHaveFocus());
});

test("a change elsewhere does not move focus", async () => {
  render(<List />);
  screen.getByRole("button", { name: "two" }).focus();
  const outside = screen.getByRole("button", { name: "outside" });
  outside.focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("button", { name: "two" })).toBeNull());
  expect(outside).toHaveFocus();
  outside.blur();
  await userEvent.click(document.body);
  expect(document.body, "a press elsewhere removes the focus").toHaveFocus();
});
