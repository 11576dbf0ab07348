import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactElement, useState } from "react";
import { expect, test } from "vitest";
import type { Criterion } from "@/api/bindings";
import { openPart } from "@/app/fakePart";
import { CriteriaEditor } from "./CriteriaEditor";
import { readCriteria } from "./criterion";

let latest: readonly Criterion[] = [];

function Form({ first }: { first: readonly Criterion[] }): ReactElement {
  const [criteria, setCriteria] = useState(first);
  latest = criteria;
  return <CriteriaEditor criteria={criteria} onChange={setCriteria} />;
}

test("who checks a criterion can be changed, and its words stay", async () => {
  openPart(<Form first={["tests pass"]} />, {});
  const kind = screen.getByLabelText("How criterion 1 is checked");
  await userEvent.selectOptions(kind, "Command");
  expect(latest).toEqual([{ run: "tests pass" }]);
  await userEvent.selectOptions(kind, "Reviewed");
  expect(latest).toEqual([{ ask: "tests pass" }]);
});

test("lines come and go with the keyboard", async () => {
  openPart(<Form first={["one"]} />, {});
  await userEvent.type(screen.getByLabelText("Acceptance criteria, 1"), "{Enter}");
  await waitFor(() => expect(screen.getByLabelText("Acceptance criteria, 2")).toHaveFocus());
  await userEvent.keyboard("two");
  expect(latest).toEqual(["one", "two"]);
  await userEvent.clear(screen.getByLabelText("Acceptance criteria, 2"));
  await userEvent.keyboard("{Backspace}");
  expect(latest).toEqual(["one"]);
  await userEvent.click(screen.getByRole("button", { name: "Remove criterion 1" }));
  expect(latest).toEqual([]);
});

test("what is no criterion is left out of text from elsewhere", () => {
  const mixed = ["a", { run: "b" }, { ask: "c" }, { run: 1 }, { run: "x", ask: "y" }, null, 3];
  expect(readCriteria(mixed)).toEqual(["a", { run: "b" }, { ask: "c" }]);
  expect(readCriteria("a")).toEqual([]);
});
