import { type ReactElement, useState } from "react";
import { Field, type FieldProps } from "./Field";
import { Tag } from "./Pill";

export interface TagListProps extends FieldProps {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
  placeholder: string;
}

/** A field for tags. Enter or a comma adds one, Backspace in the empty field removes the last. */
export function TagList({ tags, onChange, placeholder, ...field }: TagListProps): ReactElement {
  const [draft, setDraft] = useState("");

  function take() {
    const added = draft
      .split(/[,\s]+/)
      .filter((word, at, words) => word && !tags.includes(word) && words.indexOf(word) === at);
    setDraft("");
    if (added.length > 0) onChange([...tags, ...added]);
  }

  return (
    <Field {...field}>
      {(ids) => (
        <div className="flex min-h-7 flex-wrap items-center gap-1 rounded-control border border-line-strong/60 bg-surface px-1 py-0.5 focus-within:border-focus focus-within:outline-1 focus-within:outline-focus">
          {tags.map((tag) => (
            <Tag
              key={tag}
              name={tag}
              onRemove={() => onChange(tags.filter((other) => other !== tag))}
            />
          ))}
          <input
            {...ids}
            value={draft}
            placeholder={tags.length === 0 ? placeholder : ""}
            onChange={(event) => setDraft(event.target.value)}
            onBlur={take}
            onKeyDown={(event) => {
              if (event.key === "Enter" || event.key === ",") {
                event.preventDefault();
                take();
              } else if (event.key === "Backspace" && draft === "") onChange(tags.slice(0, -1));
            }}
            className="h-5 min-w-20 flex-1 bg-transparent px-1 outline-none placeholder:text-faint"
          />
        </div>
      )}
    </Field>
  );
}
