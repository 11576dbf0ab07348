import type { ReactElement } from "react";
import { IconButton, type IconButtonProps } from "@/components/IconButton";
import type { CommandId } from "./catalog";
import { useKeysFor } from "./keyBindings";

export interface ToolButtonProps extends Omit<IconButtonProps, "keys" | "size"> {
  /** The command that does the same. It only names the keys; what a press does is `onClick`. */
  command: CommandId;
}

/** A small button of a row of tools, told with the keys that do the same. */
export function ToolButton({ command, ...button }: ToolButtonProps): ReactElement {
  return <IconButton {...button} size="small" keys={useKeysFor(command)} />;
}
