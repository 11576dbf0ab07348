import { Copy, Ellipsis, SlidersHorizontal } from "lucide-react";
import type { ReactElement } from "react";
import type { OutputStream } from "@/api/bindings";
import { IconButton } from "@/components/IconButton";
import { Menu, type MenuEntry } from "@/components/Menu";
import type { OutputPreferences } from "./outputPreferences";

export interface OutputMenusProps {
  preferences: OutputPreferences;
  onPreferences: (change: Partial<OutputPreferences>) => void;
  hasSelection: boolean;
  onCopy: (part: "selection" | "everything", colors: boolean) => void;
  onDownload: ((stream: OutputStream) => void) | undefined;
  onOpenFile: (() => void) | undefined;
}

/** The menus of the toolbar: what is shown, what is copied, and the files. */
export function OutputMenus(props: OutputMenusProps): ReactElement {
  const files = fileEntries(props);
  return (
    <>
      <Menu align="end" entries={viewEntries(props)}>
        <IconButton label="View options" icon={<SlidersHorizontal />} />
      </Menu>
      <Menu align="end" entries={copyEntries(props)}>
        <IconButton label="Copy output" icon={<Copy />} />
      </Menu>
      {files.length > 0 && (
        <Menu align="end" entries={files}>
          <IconButton label="Output files" icon={<Ellipsis />} />
        </Menu>
      )}
    </>
  );
}

function viewEntries({ preferences, onPreferences }: OutputMenusProps): MenuEntry[] {
  const choice = (label: string, name: keyof OutputPreferences): MenuEntry => ({
    kind: "choice",
    label,
    chosen: preferences[name],
    onSelect: () => onPreferences({ [name]: !preferences[name] }),
  });
  return [
    choice("Wrap long lines", "wrap"),
    choice("Line numbers", "lineNumbers"),
    choice("Timestamps", "timestamps"),
  ];
}

function copyEntries({ hasSelection, onCopy }: OutputMenusProps): MenuEntry[] {
  const act = (label: string, part: "selection" | "everything", colors: boolean): MenuEntry => ({
    kind: "act",
    label,
    ...(part === "selection" && !hasSelection && { reason: "Select lines by their numbers" }),
    onSelect: () => onCopy(part, colors),
  });
  return [
    act("Copy selection", "selection", false),
    act("Copy selection with colors", "selection", true),
    { kind: "line" },
    act("Copy everything", "everything", false),
    act("Copy everything with colors", "everything", true),
  ];
}

function fileEntries({ onDownload, onOpenFile }: OutputMenusProps): MenuEntry[] {
  const download = (label: string, stream: OutputStream): MenuEntry[] =>
    onDownload ? [{ kind: "act", label, onSelect: () => onDownload(stream) }] : [];
  return [
    ...download("Download standard output", "stdout"),
    ...download("Download standard error", "stderr"),
    ...(onOpenFile
      ? [{ kind: "act", label: "Open raw file", onSelect: onOpenFile } satisfies MenuEntry]
      : []),
  ];
}
