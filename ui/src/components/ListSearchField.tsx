import { Search } from "lucide-react";
import type { ReactElement, RefObject } from "react";
import { TextField } from "./TextField";
import { useSearchDraft } from "./useSearchDraft";

interface ListSearchFieldProps {
  label: string;
  placeholder: string;
  /** The search that the list shows. */
  text: string;
  onSearch: (text: string) => void;
  field: RefObject<HTMLInputElement | null>;
  /** Moves the focus to the list. */
  onLeave: () => void;
}

/** The search above a list. Escape clears it; Escape, Enter and the down arrow go to the list. */
export function ListSearchField(props: ListSearchFieldProps): ReactElement {
  const { draft, write } = useSearchDraft(props.text, props.onSearch);
  return (
    <TextField
      ref={props.field}
      type="search"
      label={props.label}
      labelHidden
      placeholder={props.placeholder}
      icon={<Search />}
      value={draft}
      onChange={write}
      onKeyDown={(event) => {
        if (event.key === "Escape") write("");
        if (!["Escape", "ArrowDown", "Enter"].includes(event.key)) return;
        event.preventDefault();
        props.onLeave();
      }}
    />
  );
}
