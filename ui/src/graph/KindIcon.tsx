import { Bot, SquareTerminal, StickyNote } from "lucide-react";
import type { ReactElement } from "react";
import type { NodeKind } from "@/api/bindings";

/** What a node does, as a picture; the word stands in the label of the node. */
export function KindIcon({ kind }: { kind: NodeKind["kind"] }): ReactElement {
  const Icon = { agent: Bot, command: SquareTerminal, note: StickyNote }[kind];
  return <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-muted" />;
}
