import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useRef, useState } from "react";
import { expect, test } from "vitest";
import { useFocusKept } from "./useFocusKept";

function List() {
  const frame = useRef<HTMLDivElement>(null);
  const [rows, setRows] = useState(["one", "two"]);
  useFocusKept(frame, () => frame.current?.querySelector("button"));
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

test("what is left of a part has the focus after what had it is gone", async () => {
  render(<List />);
  screen.getByRole("button", { name: "two" }).focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByRole("button", { name: "one" })).toHaveFocus());
});

test("a change is no reason to take the focus from somebody else, or from nobody", async () => {
  render(<List />);
  screen.getByRole("button", { name: "two" }).focus();
  const outside = screen.getByRole("button", { name: "outside" });
  outside.focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("button", { name: "two" })).toBeNull());
  expect(outside).toHaveFocus();
  outside.blur();
  await userEvent.click(document.body);
  expect(document.body, "a press elsewhere leaves the part").toHaveFocus();
});
