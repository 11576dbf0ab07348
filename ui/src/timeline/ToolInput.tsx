import type { ReactElement } from "react";
import type { TimelineEntry, TimelineKind } from "@/api/bindings";
import { formatToolInput, toolCategory } from "@/attempt/toolCategory";
import { InputTree } from "./InputTree";
import { LongText } from "./LongText";
import { leftOutBytesOf } from "./useWholeEntry";

type Call = Extract<TimelineKind, { type: "toolCall" | "permission" }>;

/** The input of a tool: the command of a shell, otherwise a tree of its fields. */
export function ToolInput({ entry, call }: { entry: TimelineEntry; call: Call }): ReactElement {
  const name = call.type === "permission" ? call.tool : call.name;
  if (toolCategory(name) !== "run" && typeof call.input === "object" && call.input !== null) {
    return <InputTree value={call.input} />;
  }
  return (
    <LongText
      entry={entry}
      textOf={inputOf}
      {...(call.type === "permission" && { leftOutOf: leftOutBytesOf })}
      lines={12}
      copyLabel={call.type === "permission" ? "Copy call" : "Copy input"}
    />
  );
}

function inputOf({ kind }: TimelineEntry): string {
  if (kind.type === "permission") return formatToolInput(kind.tool, kind.input);
  return kind.type === "toolCall" ? formatToolInput(kind.name, kind.input) : "";
}
