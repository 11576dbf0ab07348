import { Blueprint } from "./support/blueprint.js";
import { journey } from "./support/journey.js";

journey("a blueprint is drawn and run without a pointer", async ({ page, folder }) => {
  const { keyboard } = page;
  await page.getByRole("link", { name: "New blueprint" }).focus();
  await keyboard.press("Enter");
  await page.getByLabel("Title").waitFor();
  await keyboard.type("By keys");
  await keyboard.press("Tab");
  await keyboard.press("Tab");
  await keyboard.type(folder);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Add the first node" }).waitFor();
  const blueprint = new Blueprint(page);

  for (const [title, command] of [
    ["One", "echo one"],
    ["Two", "echo two"],
  ]) {
    await keyboard.press("n");
    await page.getByPlaceholder("Add a node").waitFor();
    await keyboard.type("shell");
    await keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Title of the node" }).waitFor();
    await keyboard.type(title);
    await keyboard.press("Enter");
    await blueprint.card(title).waitFor();
    // The inspector is the next stop behind the canvas.
    await blueprint.inspector.getByRole("textbox", { name: "Command" }).focus();
    await keyboard.type(command);
    await blueprint.saved();
    await blueprint.card(title).focus();
  }
  await keyboard.press("ArrowLeft");
  await keyboard.press("c");
  await page.getByText("the node you walk to with the arrow keys").waitFor();
  await keyboard.press("ArrowRight");
  await keyboard.press("Enter");
  await page.locator(".react-flow__edge").waitFor({ state: "attached" });
  await blueprint.saved();

  await keyboard.press("Control+Enter");
  await page.getByRole("dialog", { name: "Ready to run" }).waitFor();
  await page.getByRole("button", { name: "Approve and run" }).focus();
  await keyboard.press("Enter");
  await blueprint.cardIn("Two", "Done").waitFor();
  await blueprint.cardIn("Two", "Done").focus();
  await blueprint.inspector.getByRole("tab", { name: "Task" }).focus();
  await keyboard.press("ArrowLeft");
  await page.getByRole("link", { name: "Open timeline" }).focus();
  await keyboard.press("Enter");
  await page.getByText("two", { exact: true }).waitFor();
});
