import { closeCompletion, completionStatus } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { fireEvent } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { referenceExtension } from "./referenceExtension";

test("Escape right after typing leaves the field instead of canceling an invisible completion", () => {
  const view = new EditorView({
    parent: document.body,
    state: EditorState.create({ extensions: referenceExtension(() => []) }),
  });
  onTestFinished(() => view.destroy());
  view.dispatch({ changes: { from: 0, insert: "make" }, userEvent: "input.type" });
  expect(completionStatus(view.state)).toBe("pending");
  // `fireEvent` returns false if the editor handled the key.
  expect(fireEvent.keyDown(view.contentDOM, { key: "Escape" })).toBe(true);
  expect(completionStatus(view.state)).toBeNull();
  expect(closeCompletion(view)).toBe(false);
});
