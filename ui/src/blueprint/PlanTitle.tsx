import { type ReactElement, useRef } from "react";
import { classes } from "@/components/classes";
import { TitleInput } from "@/components/TitleInput";
import { useFocusKept } from "@/components/useFocusKept";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { titleWords } from "@/plan/nodeWords";

/** The plan's title; a press makes it a field. */
export function PlanTitle(): ReactElement {
  const { editor, page } = useBlueprint();
  const title = useEditor((state) => state.plan.title);
  const writing = usePage((state) => state.titling);
  const frame = useRef<HTMLHeadingElement>(null);
  useFocusKept(frame, () => frame.current?.querySelector("button"));
  const setWriting = (titling: boolean) => page.setState({ titling });

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
          label="Title of the blueprint"
          title={title}
          onDone={done}
          className="h-7 w-full max-w-[60ch] font-semibold"
        />
      ) : (
        <button
          type="button"
          dir="auto"
          title={`${titleWords(title)}\nPress to rename`}
          onClick={() => setWriting(true)}
          className="block max-w-full truncate rounded-small px-1 font-semibold text-13 hover:bg-hover"
        >
          {titleWords(title)}
        </button>
      )}
    </h1>
  );
}
