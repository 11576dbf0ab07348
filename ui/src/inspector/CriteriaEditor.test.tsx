import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactElement, useState } from "react";
import { expect, test } from "vitest";
import type { Criterion } from "@/api/bindings";
import { readCriteria } from "@/plan/criterion";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { CriteriaEditor } from "./CriteriaEditor";

let latest: readonly Criterion[] = [];

function Form({ first }: { first: readonly Criterion[] }): ReactElement {
  const [criteria, setCriteria] = useState(first);
  latest = criteria;
  return <CriteriaEditor criteria={criteria} onChange={setCriteria} />;
}

test("changing the checker of a criterion keeps its text", async () => {
  renderWithBackend(<Form first={["tests pass"]} />, {});
  const kind = screen.getByLabelText("How criterion 1 is checked");
  await userEvent.selectOptions(kind, "Command");
  expect(latest).toEqual([{ run: "tests pass" }]);
  await userEvent.selectOptions(kind, "Reviewer");
  expect(latest).toEqual([{ ask: "tests pass" }]);
});

test("a command can be exempt from verification after a takeover, and stays so when edited", async () => {
  renderWithBackend(<Form first={[{ run: "make" }, "nice"]} />, {});
  const toggle = screen.getByRole("button", { name: "Verify criterion 1 after a takeover" });
  expect(toggle).toHaveAttribute("aria-pressed", "true");
  expect(screen.queryByRole("button", { name: "Verify criterion 2 after a takeover" })).toBeNull();
  await userEvent.click(toggle);
  expect(latest[0]).toEqual({ run: "make", verifyOnTakeover: false });
  expect(toggle).toHaveAttribute("aria-pressed", "false");
  await userEvent.type(screen.getByLabelText("Acceptance criteria, 1"), "r");
  expect(latest[0]).toEqual({ run: "maker", verifyOnTakeover: false });
  await userEvent.click(toggle);
  expect(latest[0]).toEqual({ run: "maker" });
});

test("rows can be added and removed with the keyboard", async () => {
  renderWithBackend(<Form first={["one"]} />, {});
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

test("pasted text without criteria is ignored", () => {
  const exempt = { run: "d", verifyOnTakeover: false };
  const mixed = [
    "a",
    { run: "b" },
    { ask: "c" },
    exempt,
    { run: 1 },
    { run: "x", ask: "y" },
    null,
    3,
  ];
  const odd = [
    { run: "e", verifyOnTakeover: "no" },
    { ask: "f", verifyOnTakeover: false },
  ];
  expect(readCriteria([...mixed, ...odd])).toEqual(["a", { run: "b" }, { ask: "c" }, exempt]);
  expect(readCriteria("a")).toEqual([]);
});
