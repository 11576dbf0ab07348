import {
  Bot,
  GitFork,
  type LucideIcon,
  MessageCircleQuestionMark,
  Repeat,
  Rows3,
  Scale,
  SquareTerminal,
  StickyNote,
  Workflow,
  Wrench,
} from "lucide-react";
import type { ReactElement } from "react";
import type { KindName } from "./kinds";

const icons: Record<KindName, LucideIcon> = {
  agent: Bot,
  llm_decision: Scale,
  command: SquareTerminal,
  tool_call: Wrench,
  parallel: Rows3,
  user_input: MessageCircleQuestionMark,
  condition: GitFork,
  loop: Repeat,
  sub_plan: Workflow,
  note: StickyNote,
};

/** The icon of a node kind. Hidden from screen readers: the node's label already says the kind. */
export function KindIcon({ kind }: { kind: KindName }): ReactElement {
  const Icon = icons[kind];
  return <Icon aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-muted" />;
}
