import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { planOf } from "@/plan/planFixture";
import { RisksAndContext } from "./RisksAndContext";

test("shows risks with what reduces them, notes, keys and files", () => {
  const plan = {
    ...planOf(["a"], []),
    risks: [
      { text: "The e-mail might bounce", mitigation: "check contact" },
      { text: "It is late" },
    ],
    context: {
      toolOutputs: { invoice: { tool: "odoo", operation: "read", data: { id: 1 } } },
      notes: "<b>Pay</b> through XYZ",
      artifacts: [{ name: "invoice.pdf", path: "artifacts/invoice.pdf" }],
    },
  };
  render(<RisksAndContext plan={plan} />);
  const risks = within(screen.getByRole("region", { name: "Risks" })).getAllByRole("listitem");
  expect(risks.map((risk) => risk.textContent)).toEqual([
    "The e-mail might bouncecheck contact",
    "It is late",
  ]);
  const context = screen.getByRole("region", { name: "Context" });
  expect(context).toHaveTextContent("<b>Pay</b> through XYZ");
  expect(within(context).getByText("invoice")).toBeVisible();
  expect(context).toHaveTextContent("odoo: read");
  expect(within(context).getByText("artifacts/invoice.pdf")).toBeVisible();
});

test("a plan without risks and context shows nothing", () => {
  const { container } = render(<RisksAndContext plan={planOf(["a"], [])} />);
  expect(container).toBeEmptyDOMElement();
});
