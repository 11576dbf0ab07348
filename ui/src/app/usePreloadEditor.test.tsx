import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { usePreloadEditor } from "./usePreloadEditor";

const loaded = vi.hoisted(() => vi.fn());
vi.mock("@/blueprint/BlueprintPage", () => {
  loaded();
  return { BlueprintPage: () => null };
});

function Page() {
  usePreloadEditor();
  return (
    <>
      <button type="button">Import</button>
      {/* biome-ignore lint/a11y/useSemanticElements: as the list has it */}
      <div role="grid">
        <a href="#/blueprints/1">A blueprint</a>
      </div>
    </>
  );
}

test("preloads the editor when the pointer enters the list", async () => {
  render(<Page />);
  fireEvent.pointerOver(screen.getByRole("button"));
  await Promise.resolve();
  expect(loaded).not.toHaveBeenCalled();
  fireEvent.pointerOver(screen.getByRole("link"));
  fireEvent.focusIn(screen.getByRole("link"));
  await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce());
});
