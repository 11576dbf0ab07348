import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { AvailableUpdate, Backend, UpdateSource, Updates } from "@/api/Backend";
import { UpdateRow } from "@/settings/UpdateRow";
import { resetAppState, setAppStateValue } from "@/shell/appState";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { resetUpdateState } from "@/shell/updates";
import { UpdateBanner } from "./UpdateBanner";

const update: AvailableUpdate = {
  version: "2.0.0",
  currentVersion: "1.0.0",
  notes: "- <b>Faster</b> starts",
};

function fakeUpdates(source: UpdateSource, found: AvailableUpdate | null = update) {
  return {
    source: vi.fn(async () => source),
    check: vi.fn(async () => found),
    install: vi.fn(async () => {}),
    restart: vi.fn(async () => {}),
  } satisfies Updates;
}

async function renderBanner(updates: Updates) {
  const backend: Backend = { ...fakeBackend({}).backend, updates };
  renderAtPath(
    backend,
    <>
      <UpdateBanner />
      <dl>
        <UpdateRow />
      </dl>
    </>,
  );
  await screen.findByText("Updates");
}

beforeEach(() => {
  resetUpdateState();
  resetAppState();
});

test("offers an update, installs it, and then restarts", async () => {
  const updates = fakeUpdates("releases");
  await renderBanner(updates);
  await screen.findByText("Baton 2.0.0 is available. You have 1.0.0.");
  await userEvent.click(screen.getByRole("button", { name: "What's new" }));
  // Release notes are untrusted: HTML in them stays text.
  expect(await screen.findByText(/<b>Faster<\/b> starts/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await userEvent.click(screen.getByRole("button", { name: "Install" }));
  await screen.findByText(/Baton 2.0.0 is installed. Restart to use it. Running/);
  expect(updates.restart).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Restart Baton" }));
  expect(updates.restart).toHaveBeenCalledOnce();
});

test("a skipped version is not offered again, and a newer one is", async () => {
  await renderBanner(fakeUpdates("releases"));
  await userEvent.click(await screen.findByRole("button", { name: "Skip this version" }));
  expect(screen.queryByRole("button", { name: "Install" })).toBeNull();
  expect(screen.getByText("Baton 2.0.0 is available")).toBeVisible();
  act(() => setAppStateValue("updateDismissed", "1.9.0"));
  expect(screen.getByRole("button", { name: "Install" })).toBeVisible();
});

test("nothing is checked where a package manager updates, or the build has no source", async () => {
  for (const [source, text] of [
    ["package_manager", "Your package manager updates Baton."],
    ["none", "This build doesn't check for updates."],
  ] as const) {
    const updates = fakeUpdates(source);
    const backend: Backend = { ...fakeBackend({}).backend, updates };
    const { unmount } = renderAtPath(
      backend,
      <>
        <UpdateBanner />
        <dl>
          <UpdateRow />
        </dl>
      </>,
    );
    expect(await screen.findByText(text)).toBeVisible();
    expect(updates.check).not.toHaveBeenCalled();
    unmount();
  }
});

test("nothing is checked without being asked when automatic checks are off", async () => {
  setAppStateValue("updateChecks", "off");
  const updates = fakeUpdates("releases", null);
  await renderBanner(updates);
  expect(await screen.findByText("Not checked yet")).toBeVisible();
  expect(updates.check).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Check for updates" }));
  expect(await screen.findByText("Up to date")).toBeVisible();
});

test("a failed installation says why and can be tried again", async () => {
  const updates = fakeUpdates("releases");
  updates.install.mockRejectedValueOnce(
    new ApiError("refused", "The update isn't signed.", { fix: "Report this." }),
  );
  await renderBanner(updates);
  await userEvent.click(await screen.findByRole("button", { name: "Install" }));
  expect((await screen.findAllByText("The update isn't signed. Report this.")).length).toBe(2);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("button", { name: "Restart Baton" });
});
