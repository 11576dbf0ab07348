import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { createEditor, EditorContext, useEditor } from "@/plan/editor";
import { planOf, viewOf } from "@/plan/planFixture";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { SandboxField } from "./SandboxField";

function Shown() {
  const [node] = useEditor(({ plan }) => plan.nodes);
  return node ? <SandboxField node={node} /> : null;
}

test("a node inherits the sandbox setting or overrides it, with undo", async () => {
  const { backend } = fakeBackend({});
  const plan = planOf(["a"], []);
  const editor = createEditor(
    backend,
    viewOf({ ...plan, settings: { ...plan.settings, sandbox: "off" } }),
  );
  renderAtPath(
    backend,
    <EditorContext value={editor}>
      <Shown />
    </EditorContext>,
  );
  expect(screen.getByText(/It can reach Baton's data/)).toBeVisible();
  await userEvent.click(screen.getByRole("combobox", { name: "Sandbox" }));
  await userEvent.click(await screen.findByRole("option", { name: /^On/ }));
  expect(editor.getState().plan.nodes[0]?.sandbox).toBe("on");
  expect(screen.queryByText(/It can reach Baton's data/)).toBeNull();
  editor.getState().undo();
  expect(editor.getState().plan.nodes[0]?.sandbox ?? null).toBeNull();
});
