import type { ReactElement } from "react";
import { IconButton, type IconButtonProps } from "@/components/IconButton";
import type { CommandId } from "./catalog";
import { useKeysFor } from "./keyBindings";

export interface ToolButtonProps extends Omit<IconButtonProps, "keys" | "size"> {
  /** The equivalent command. Only used for the shortcut in the tooltip; a click calls `onClick`. */
  command: CommandId;
}

/** A small toolbar button that shows the shortcut of a command in its tooltip. */
export function ToolButton({ command, ...button }: ToolButtonProps): ReactElement {
  return <IconButton {...button} size="small" keys={useKeysFor(command)} />;
}
