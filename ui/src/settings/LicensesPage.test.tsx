import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderWithBackend } from "@/shell/renderWithBackend";
import { AboutSections } from "./AboutSections";
import { LicensesPage } from "./LicensesPage";

afterEach(() => vi.unstubAllGlobals());

const rule = `\n${"-".repeat(80)}\n`;

function serve(answer: () => Response) {
  const asked = vi.fn(async (_: string) => answer());
  vi.stubGlobal("fetch", asked);
  return asked;
}

test("the notices are shown as text", async () => {
  const asked = serve(
    () => new Response(`Third-party notices\n\nserde 1.0${rule}[1] serde 1.0\n\n<b>MIT</b>`),
  );
  renderWithBackend(<LicensesPage />, {});
  expect(await screen.findByText(/serde 1\.0$/)).toBeVisible();
  expect(screen.getByText(/<b>MIT<\/b>/)).toBeVisible();
  expect(asked.mock.calls).toEqual([["/THIRD-PARTY-NOTICES.txt"]]);
});

test("missing notices show an error that can be retried", async () => {
  // The desktop window answers requests for missing files with the page itself.
  let answer = () => new Response("<!doctype html><title>Baton</title>");
  serve(() => answer());
  renderWithBackend(<LicensesPage />, {});
  expect(await screen.findByRole("alert")).toHaveTextContent("This build doesn't include them");
  answer = () => new Response("", { status: 404 });
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("This build doesn't include them");
  answer = () => new Response("Third-party notices\n\nreact 19");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText(/react 19/)).toBeVisible();
});

test("the settings link to the notices", async () => {
  const about = {
    version: "1.2.3",
    platform: "linux",
    dataDirectory: "/d",
    dataBytes: 1,
    schema: 8,
  };
  renderWithBackend(<AboutSections />, { about: () => about });
  const link = await screen.findByRole("link", { name: "Third-party notices" });
  expect(link).toHaveAttribute("href", "/settings/licenses");
});
