import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { TemplateRow } from "@/api/bindings";
import type { appCommands } from "@/commands/catalog/app";
import type { Choice, HandlersFor } from "@/commands/command";
import { openPalette } from "@/commands/paletteState";
import { useShortcutsDialog } from "@/commands/shortcutsDialogState";
import { showToast } from "@/components/toasts";
import { helpTopicForPath } from "@/shell/helpTopicForPath";
import { paths } from "@/shell/paths";
import { type ThemeChoice, themeLabels, useTheme } from "@/shell/theme";

export interface CommandContext {
  backend: Backend;
  /** Navigates to an address in the app. */
  go: (address: string) => void;
}

/** Additional context of the app-wide commands. */
export interface AppCommandContext extends CommandContext {
  /** The path of the page that is shown. */
  place: () => string;
  chooseTheme: (choice: ThemeChoice) => void;
}

/** The commands that are available on every page. */
export function appActions({
  backend,
  go,
  place,
  chooseTheme,
}: AppCommandContext): HandlersFor<typeof appCommands> {
  const to = (address: string) => ({ run: () => go(address) });
  return {
    palette: { run: () => openPalette() },
    keys: { run: () => useShortcutsDialog.setState({ open: true }) },
    help: { run: () => go(paths.helpTopic(helpTopicForPath(place()))) },
    help_topic: { choices: () => helpTopics(go) },
    go_blueprints: to(paths.blueprints),
    go_runs: to(paths.runs),
    go_sessions: to(paths.sessions),
    go_inbox: to(paths.inbox),
    go_statistics: to(paths.statistics),
    go_doctor: to(paths.doctor),
    go_settings: to(paths.settings),
    go_help: to(paths.help),
    change_keys: to(paths.keys),
    new_blueprint: to(paths.newBlueprintFrom("blank")),
    generate_blueprint: to(paths.newBlueprintFrom("generate")),
    new_from_template: {
      choices: async () => (await backend.call("templates_list", {})).map(template),
    },
    import_blueprint: {
      run: () => attempt("Couldn't import the file", () => importFile({ backend, go })),
    },
    theme: {
      choices: () =>
        (Object.keys(themeLabels) as ThemeChoice[]).map((choice) => ({
          id: choice,
          label: themeLabels[choice],
          detail: choice === useTheme.getState().choice ? "selected" : undefined,
          run: () => chooseTheme(choice),
        })),
    },
    rebuild_index: {
      run: () =>
        attempt("Couldn't rebuild the session index", async () => {
          await backend.call("transcripts_rebuild", {});
          showToast({
            kind: "info",
            title: "Rebuilding the session index",
            detail: "The Sessions page shows the progress. Stars, tags and notes are kept.",
          });
        }),
    },
    open_data_folder: {
      run: () =>
        // A browser can't open folders: copy the path instead.
        backend.desktop
          ? attempt("Couldn't open the data directory", backend.desktop.openDataFolder)
          : copyDataPath(backend),
    },
    copy_data_path: { run: () => copyDataPath(backend) },
  };

  function template({ id, title, description, plan }: TemplateRow): Choice {
    return {
      id,
      label: title,
      detail: description,
      run: () => createFromTemplate({ backend, go }, id, plan.cwd),
    };
  }
}

/** Loaded on demand: the help topics are not part of the initial bundle. */
async function helpTopics(go: CommandContext["go"]): Promise<Choice[]> {
  const { topics } = await import("@/help/topics");
  return topics.map(({ id, title, summary }) => ({
    id,
    label: title,
    detail: summary,
    run: () => go(paths.helpTopic(id)),
  }));
}

/** Creates a blueprint from a template and opens it. */
export function createFromTemplate(
  { backend, go }: CommandContext,
  template: string,
  cwd: string | null,
): Promise<void> {
  return attempt("Couldn't create the blueprint", async () => {
    const view = await backend.call("plan_from_template", { template, title: null, cwd });
    go(paths.blueprint(view.plan.id));
  });
}

function copyDataPath(backend: Backend): Promise<void> {
  return attempt("Couldn't copy the path", async () => {
    const { dataDirectory } = await backend.call("about", {});
    await navigator.clipboard.writeText(dataDirectory);
    showToast({ kind: "info", title: "Path copied", detail: dataDirectory });
  });
}

async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    showToast({ kind: "error", title: failure, detail: ApiError.from(cause).message });
  }
}

/** Picks a plan file, imports it and opens the result; see `importPlanFiles`. */
async function importFile({ backend, go }: CommandContext): Promise<void> {
  const { planFileKinds, importPlanFiles } = await import("@/blueprints/importPlanFiles");
  const file = await backend.pickFile(planFileKinds);
  if (file) go(await importPlanFiles(backend, [file]));
}
