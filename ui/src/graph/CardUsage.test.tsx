import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { useInspectorTab } from "@/plan/inspectorTab";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { done } from "@/run/stateHistoryFixture";
import { CardUsage } from "./CardUsage";

const plan = planOf(["a", "b"], []);

beforeEach(() => useInspectorTab.setState({ tab: "handoff" }));

test("the cost of a card leads to the attempts of its node", async () => {
  const onCard = vi.fn();
  const { editor, page } = openBlueprint(
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for the card, which has other acts
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div onClick={onCard} onDoubleClick={onCard}>
      <CardUsage id="b" title="Build" used="$0.42" />
    </div>,
    { view: viewOf(plan), run: runOf(plan, { a: done, b: done }) },
  );
  page.setState({ sideOpen: false });
  editor.getState().select(["a"]);
  const cost = screen.getByRole("button", { name: "$0.42, show the usage of Build by attempt" });
  await userEvent.dblClick(cost);
  expect([...editor.getState().selection]).toEqual(["b"]);
  expect(page.getState().sideOpen).toBe(true);
  expect(useInspectorTab.getState().tab).toBe("attempts");
  expect(onCard, "not also an act on the card").not.toHaveBeenCalled();
});
