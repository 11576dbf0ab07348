import { type ReactElement, useState } from "react";
import { Tag } from "@/components/Pill";
import { TextField } from "@/components/TextField";

/**
 * The tags of the plan. Enter or a comma adds one, Backspace in the empty field removes the last.
 */
export function TagsField({
  tags,
  onChange,
}: {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
}): ReactElement {
  const [draft, setDraft] = useState("");

  function add() {
    const tag = draft.trim();
    setDraft("");
    if (tag !== "" && !tags.includes(tag)) onChange([...tags, tag]);
  }

  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label="Tags"
        placeholder="Add a tag"
        value={draft}
        maxLength={60}
        onChange={setDraft}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === ",") {
            event.preventDefault();
            add();
          }
          if (event.key === "Backspace" && draft === "" && tags.length > 0)
            onChange(tags.slice(0, -1));
        }}
      />
      {tags.length > 0 && (
        <div className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <Tag
              key={tag}
              name={tag}
              onRemove={() => onChange(tags.filter((other) => other !== tag))}
            />
          ))}
        </div>
      )}
    </div>
  );
}
