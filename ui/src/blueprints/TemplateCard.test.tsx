import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { planOf } from "@/plan/planFixture";
import { TemplateCard } from "./TemplateCard";

test("notes are not counted as nodes", () => {
  const plan = planOf(["a", "b"], []);
  const [first, second] = plan.nodes;
  if (!first || !second) throw new Error("no nodes");
  const note = { ...second, kind: { kind: "note" as const, text: "Read me" } };
  const template = {
    id: "t",
    title: "Example",
    description: "",
    runsAnywhere: true,
    plan: { ...plan, nodes: [first, note] },
  };
  render(<TemplateCard template={template} chosen={false} onChoose={() => undefined} />);
  expect(screen.getByText(/^1 node\b/)).toBeVisible();
});
