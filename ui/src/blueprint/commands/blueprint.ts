import { ApiError } from "@/api/ApiError";
import type { Format } from "@/api/bindings";
import { paths } from "@/app/paths";
import type { blueprintCommands } from "@/commands/catalogue/blueprint";
import type { ActsFor } from "@/commands/command";
import { showToast } from "@/components/toasts";
import type { Blueprint } from "../blueprintContext";
import { phaseOf } from "../runFacts";
import type { Surroundings } from "./surroundings";

const formats: [Format, string][] = [
  ["yaml", "YAML"],
  ["json", "JSON"],
];

/** What concerns the open blueprint as a whole. */
export function blueprintActs(
  { editor, page }: Blueprint,
  surroundings: Surroundings,
): ActsFor<typeof blueprintCommands> {
  return {
    rename_plan: { run: () => page.setState({ titling: true }) },
    plan_settings: {
      run: () => {
        editor.getState().select([]);
        page.setState({ sideOpen: true });
      },
    },
    explain_plan: {
      run: () => {
        const { id, title } = editor.getState().plan;
        page.setState({
          order: { ask: "explain", plan: id, node: null, title: title || "Untitled" },
        });
      },
    },
    duplicate_plan: {
      run: () =>
        attempt("The blueprint was not duplicated", async () => {
          const { backend, go } = surroundings;
          const { plan } = await backend.call("plan_duplicate", { plan: await saved(editor) });
          go(paths.blueprint(plan.id));
        }),
    },
    export_plan: {
      choices: () =>
        formats.map(([format, words]) => ({
          id: format,
          words,
          run: () =>
            attempt("The blueprint was not exported", async () =>
              exportAs(surroundings, await saved(editor), format),
            ),
        })),
    },
    delete_plan: {
      refusal: () =>
        phaseOf(editor.getState().run) === "idle" ? undefined : "A run goes on; stop it first",
      run: () => page.setState({ deleting: true }),
    },
  };
}

/** The plan's id, once the backend has the working copy. */
async function saved(editor: Blueprint["editor"]): Promise<string> {
  if (await editor.getState().flush()) return editor.getState().plan.id;
  const { saveMessage } = editor.getState();
  throw new ApiError("refused", saveMessage ?? "It is not saved yet. Mend what the header names.");
}

async function exportAs({ backend }: Surroundings, plan: string, format: Format): Promise<void> {
  const file = await backend.call("plan_export", { plan, format, version: null });
  const kinds = [{ name: "Baton blueprint", extensions: [format] }];
  const place = await backend.saveText(file.fileName, file.text, kinds);
  if (place) showToast({ kind: "info", title: "Blueprint exported", detail: place });
}

async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    showToast({ kind: "error", title: failure, detail: ApiError.from(cause).message });
  }
}
