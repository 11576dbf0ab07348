import type { ReactElement } from "react";
import { TitleInput } from "@/graph/TitleInput";
import { useBlueprint, usePage } from "./blueprintContext";
import { useEditor } from "./editor";
import { titleWords } from "./nodeWords";

/** The plan's title; a press makes it a field. */
export function PlanTitle(): ReactElement {
  const { editor, page } = useBlueprint();
  const title = useEditor((state) => state.plan.title);
  const writing = usePage((state) => state.titling);
  const setWriting = (titling: boolean) => page.setState({ titling });

  function done(next: string | undefined) {
    setWriting(false);
    const line = next?.replace(/\s+/g, " ").trim();
    if (!line) return;
    editor
      .getState()
      .edit("Rename blueprint", (plan) => (line === plan.title ? plan : { ...plan, title: line }));
  }

  if (writing) {
    return (
      <h1 className="min-w-0 flex-1">
        <TitleInput
          label="Title of the blueprint"
          title={title}
          onDone={done}
          className="h-7 w-full max-w-[60ch] font-semibold"
        />
      </h1>
    );
  }
  return (
    <h1 className="-ml-1 min-w-0">
      <button
        type="button"
        dir="auto"
        title={`${titleWords(title)}\nPress to rename`}
        onClick={() => setWriting(true)}
        className="block max-w-full truncate rounded-small px-1 font-semibold text-13 hover:bg-hover"
      >
        {titleWords(title)}
      </button>
    </h1>
  );
}
