import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { focusInspector } from "./inspectorFocus";

function openInspector(hasRun: boolean) {
  render(
    <aside data-side="">
      <button type="button" role="tab" aria-selected="true">
        Task
      </button>
      <input aria-label="Title" />
      <div {...(!hasRun && { "data-work": "" })}>
        <button type="button">Insert</button>
        <button type="button" role="combobox" aria-expanded="false" aria-controls="list">
          Blueprint
        </button>
        <textarea aria-label="Prompt" />
      </div>
    </aside>,
  );
}

test("a new node is entered at the first field of what it does", () => {
  openInspector(false);
  focusInspector();
  expect(screen.getByRole("combobox")).toHaveFocus();
});

test("a node that has run is entered at its tab", () => {
  openInspector(true);
  focusInspector();
  expect(screen.getByRole("tab")).toHaveFocus();
});

test.each(["textarea", "an editor"])("an untouched default in %s is selected", (kind) => {
  render(
    <aside data-side="">
      <div data-work="">
        {kind === "textarea" ? (
          <textarea aria-label="Question" defaultValue="Continue?" />
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: like the code editor
          <div role="textbox" tabIndex={0} aria-label="Question">
            Continue?
          </div>
        )}
      </div>
    </aside>,
  );
  const selected = () => {
    const field = screen.getByRole("textbox");
    return field instanceof HTMLTextAreaElement
      ? field.value.slice(field.selectionStart, field.selectionEnd)
      : String(getSelection());
  };
  focusInspector("Other?");
  expect(selected(), "a text that was written").toBe("");
  focusInspector("Continue?");
  expect(selected()).toBe("Continue?");
});
