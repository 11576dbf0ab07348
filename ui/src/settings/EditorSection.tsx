import { type ReactElement, useState } from "react";
import type { EditorList, EditorSetting } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { ErrorState } from "@/components/ErrorState";
import { Select } from "@/components/Select";
import { Skeleton } from "@/components/Skeleton";
import { useSettingsChange } from "@/shell/useSettingsChange";
import { CustomEditorDialog } from "./CustomEditorDialog";
import { CustomEditorRow } from "./CustomEditorRow";
import { choiceOf, editorOptions, settingOf } from "./editorOptions";
import { SettingsSection } from "./SettingsSection";

/** What opens the files that sessions mention. */
export function EditorSection(): ReactElement {
  const list = useOperation("editors_list", {}, { staleTime: 0 });
  const settings = useOperation("settings_get", {});
  return (
    <SettingsSection
      title="Editor"
      note="Opens files that sessions mention. In a browser, files open in the read-only view."
    >
      <div className="rounded-card border px-3 py-2.5">
        {list.isPending && <Skeleton width="40%" />}
        {list.isError && (
          <ErrorState
            title="Couldn't list the editors"
            detail={list.error.code}
            onRetry={() => void list.refetch()}
          >
            {list.error.message}
          </ErrorState>
        )}
        {list.isSuccess && (
          <EditorChoice list={list.data} setting={settings.data?.editor ?? { kind: "automatic" }} />
        )}
      </div>
    </SettingsSection>
  );
}

function EditorChoice({
  list,
  setting,
}: {
  list: EditorList;
  setting: EditorSetting;
}): ReactElement {
  const change = useSettingsChange();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <Select
        label="Open files in"
        options={editorOptions(list)}
        value={choiceOf(setting)}
        hint={hintOf(setting, list)}
        onChange={(value) => {
          const editor = settingOf(value);
          // A custom command is only stored when it is complete.
          if (editor) void change({ editor });
          else setIsEditing(true);
        }}
      />
      {setting.kind === "custom" && (
        <CustomEditorRow argv={setting.argv} onEdit={() => setIsEditing(true)} />
      )}
      {isEditing && (
        <CustomEditorDialog
          argv={setting.kind === "custom" ? setting.argv : ["", "{path}"]}
          onClose={() => setIsEditing(false)}
        />
      )}
    </div>
  );
}

function hintOf(setting: EditorSetting, { editors }: EditorList): string | undefined {
  switch (setting.kind) {
    case "environment":
      return "The program must have a window of its own: terminal editors such as vim can't be started here.";
    case "known": {
      const chosen = editors.find(({ editor }) => editor === setting.editor);
      return chosen?.program
        ? chosen.program
        : "Not found on this machine. Install its command-line launcher, or choose another editor.";
    }
    case "automatic":
      return "The first editor found on this machine. Without one, files open in the read-only view.";
    case "view":
    case "custom":
      return undefined;
  }
}
