import type { ReactElement } from "react";
import { classes } from "@/components/classes";
import { KindIcon } from "@/plan/KindIcon";
import type { KindName } from "@/plan/kinds";

/**
 * The shape behind each kind's icon: tinted for agents, square for programs, round for people, a
 * diamond for conditions, and a double border for kinds that contain other work. Shapes rather than
 * hues, because hues stand for states.
 */
const looks: Record<KindName, string> = {
  agent: "rounded-control bg-accent-tint [&_svg]:text-accent-fg",
  llm_decision: "rounded-full bg-accent-tint [&_svg]:text-accent-fg",
  command: "rounded-control border bg-raised",
  tool_call: "rounded-control border bg-raised",
  parallel: "rounded-control border bg-raised",
  user_input: "rounded-full border border-line-strong bg-surface",
  condition:
    "before:absolute before:inset-[3px] before:rotate-45 before:rounded-[3px] before:border before:border-line-strong before:bg-raised",
  loop: "rounded-control border-3 border-double border-line-strong bg-surface",
  sub_plan: "rounded-control border-3 border-double border-line-strong bg-surface",
  note: "rounded-control",
};

export function KindTile({ kind }: { kind: KindName }): ReactElement {
  return (
    <span
      aria-hidden="true"
      className={classes(
        "relative flex size-7 shrink-0 items-center justify-center [&_svg]:relative",
        looks[kind],
        kind === "condition" && "[&_svg]:size-3.5",
      )}
    >
      <KindIcon kind={kind} />
    </span>
  );
}
