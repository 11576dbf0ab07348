import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { PickedFile } from "@/api/Backend";
import { renderApp } from "@/app/renderApp";
import { planOf, viewOf } from "@/plan/planFixture";
import { parseFault, useImports } from "./importPlanFiles";

beforeEach(() => {
  useImports.setState({ results: [], busy: false });
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
});

function fileOf(name: string, text: string): PickedFile {
  return { name, read: async () => text };
}

test("lists every error of a dropped file with its location and imports nothing", async () => {
  const faults = ['a.yaml:4:3: "titel" is no key; did you mean "title"?', "a.yaml:9:1: too deep"];
  const { asked, drag, router } = renderApp("/blueprints", {
    plans_list: () => [],
    plan_import: () => {
      throw new ApiError("invalid", faults.join("\n"), { faults });
    },
  });
  await screen.findByText("No blueprints");
  await drag({ kind: "over" });
  expect(screen.getByText("Drop to import as blueprints")).toBeVisible();
  await drag({ kind: "dropped", files: [fileOf("/home/anna/a.yaml", "titel: x")] });

  const report = await screen.findByRole("alert");
  expect(router.state.location.search).toBe("?from=import");
  expect(report).toHaveTextContent("Couldn't import a.yaml. Fix these 2 errors");
  expect(
    within(report)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(['a.yaml:4:3:"titel" is no key; did you mean "title"?', "a.yaml:9:1:too deep"]);
  // The whole path is sent, because a relative directory in the file is relative to its folder.
  expect(asked("plan_import")).toEqual([
    { fileName: "/home/anna/a.yaml", text: "titel: x", cwd: null },
  ]);
});

test("shows warnings of a valid file, and does not read files of other types", async () => {
  const plan = viewOf(planOf([], []));
  const { drag } = renderApp("/blueprints/new?from=import", {
    plan_import: () => ({ plan, warnings: ["line 1: the plan has no nodes yet"], subPlans: [] }),
  });
  await screen.findByText("Drop a plan file anywhere on this page");
  const picture = { name: "photo.png", read: vi.fn() };
  await drag({ kind: "dropped", files: [fileOf("b.json", "{}"), picture] });

  expect(await screen.findByText("line 1: the plan has no nodes yet")).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent("Couldn't import photo.png.");
  expect(picture.read).not.toHaveBeenCalled();
});

test.each([
  ["C:\\plans\\a.yaml:4:3: no: such", { place: "4:3", sentence: "no: such" }],
  ["no place", { place: undefined, sentence: "no place" }],
])("%j is split into position and message", (fault, parts) => {
  expect(parseFault(fault)).toEqual(parts);
});
