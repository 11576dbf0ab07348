import { type ReactElement, useRef } from "react";
import { classes } from "@/components/classes";
import { TitleInput } from "@/components/TitleInput";
import { useFocusRecovery } from "@/components/useFocusRecovery";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";

/** The plan's title. A click turns it into a field. */
export function PlanTitle(): ReactElement {
  const { editor, page } = useBlueprint();
  const title = useEditor((state) => state.plan.title);
  const writing = usePage((state) => state.renamingTitle);
  const frame = useRef<HTMLHeadingElement>(null);
  useFocusRecovery(frame, () => frame.current?.querySelector("button"));
  const setWriting = (titling: boolean) => page.setState({ renamingTitle: titling });

  function done(next: string | undefined) {
    setWriting(false);
    const line = next?.replace(/\s+/g, " ").trim();
    if (!line) return;
    editor
      .getState()
      .edit("Rename blueprint", (plan) => (line === plan.title ? plan : { ...plan, title: line }));
  }

  return (
    <h1 ref={frame} className={classes("min-w-0", writing ? "flex-1" : "-ml-1")}>
      {writing ? (
        <TitleInput
          label="Blueprint title"
          title={title}
          onDone={done}
          className="h-7 w-full max-w-[60ch] font-semibold"
        />
      ) : (
        <button
          type="button"
          dir="auto"
          title={`${displayTitle(title)}\nClick to rename`}
          onClick={() => setWriting(true)}
          className="block max-w-full truncate rounded-small px-1 font-semibold text-13 hover:bg-hover"
        >
          {displayTitle(title)}
        </button>
      )}
    </h1>
  );
}
