import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { EmptyCanvas } from "./EmptyCanvas";

test("the first node goes where the place for it is shown", async () => {
  const { page } = openBlueprint(<EmptyCanvas />, { view: viewOf(planOf([], [])) });
  const toPlan = vi.fn(({ x, y }) => ({ x: x / 2, y: y / 2 }));
  page.setState({ canvas: { toPlan } as never });
  const place = screen.getByRole("button", { name: "Choose a node" });
  place.getBoundingClientRect = () => new DOMRect(400, 300, 220, 64);

  await userEvent.click(place);

  expect(page.getState().picker).toEqual({
    screen: { x: 400, y: 364 },
    at: { x: 200, y: 150 },
  });
});
