import { type ReactElement, type RefObject, useMemo } from "react";
import { useOperation } from "@/api/queries";
import { Combobox } from "@/components/Combobox";
import { FilterChip } from "@/components/FilterChip";
import { ListSearchField } from "@/components/ListSearchField";
import { SegmentedControl } from "@/components/SegmentedControl";
import type { SessionsQuery } from "./sessionsQuery";

export interface SessionsToolbarProps {
  query: SessionsQuery;
  onChange: (part: Partial<SessionsQuery>) => void;
  searchField: RefObject<HTMLInputElement | null>;
  /** Moves the focus to the list. */
  onLeaveSearch: () => void;
}

/** The option for no filter. No agent, project or tag can have this name. */
const any = "\u0000any";

/** Search field and filters of the sessions page. */
export function SessionsToolbar(props: SessionsToolbarProps): ReactElement {
  const { query, onChange } = props;
  return (
    <>
      <SearchField {...props} />
      <SegmentedControl
        label="Search in"
        options={[
          { id: "text", label: "Messages" },
          { id: "titles", label: "Titles" },
        ]}
        value={query.within}
        onChange={(within) => onChange({ within })}
      />
      <ChoiceFilters query={query} onChange={onChange} />
      <FilterChip pressed={query.starred} onPress={() => onChange({ starred: !query.starred })}>
        Starred
      </FilterChip>
      <FilterChip
        pressed={query.linked === true}
        onPress={() => onChange({ linked: query.linked === true ? undefined : true })}
      >
        From a node
      </FilterChip>
    </>
  );
}

function SearchField(props: SessionsToolbarProps): ReactElement {
  const { query, onChange, searchField, onLeaveSearch } = props;
  return (
    <div className="w-44 shrink-0 xl:w-64">
      <ListSearchField
        label="Search sessions"
        placeholder={query.within === "text" ? "Search messages" : "Search titles"}
        text={query.text}
        onSearch={(text) => onChange({ text })}
        field={searchField}
        onLeave={onLeaveSearch}
      />
    </div>
  );
}

/** The filters with a list of values: agent, project and tag. */
function ChoiceFilters({ query, onChange }: Pick<SessionsToolbarProps, "query" | "onChange">) {
  const agents = useOperation("agents_list", {});
  const projects = useOperation("transcripts_projects", {});
  const { data: notes } = useOperation("enrichments_get", {});
  const tags = useMemo(
    () => [...new Set(Object.values(notes?.sessions ?? {}).flatMap(({ tags }) => tags))].sort(),
    [notes],
  );
  const directories = (projects.data ?? []).flatMap(({ project, transcripts }) =>
    project === null ? [] : [{ id: project, label: project, note: String(transcripts) }],
  );
  const withHistories = (agents.data ?? []).flatMap(({ id, title, keepsHistory }) =>
    keepsHistory ? [{ id, label: title }] : [],
  );
  return (
    <>
      <Choice
        label="Agent"
        options={withHistories}
        value={query.agent}
        onChange={(agent) => onChange({ agent })}
      />
      <Choice
        label="Project"
        options={directories}
        value={query.project}
        onChange={(project) => onChange({ project })}
      />
      {(tags.length > 0 || query.tag !== undefined) && (
        <Choice
          label="Tag"
          options={tags.map((tag) => ({ id: tag, label: tag }))}
          value={query.tag}
          onChange={(tag) => onChange({ tag })}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  options: { id: string; label: string; note?: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, options, value, onChange }: ChoiceProps): ReactElement {
  const isKnown = value === undefined || options.some(({ id }) => id === value);
  const all = [
    { id: any, label: `Any ${label.toLowerCase()}` },
    ...(isKnown ? [] : [{ id: value, label: value }]),
    ...options,
  ];
  return (
    <div className="w-28 min-w-20 shrink xl:w-36">
      <Combobox
        label={label}
        labelHidden
        options={all}
        value={[value ?? any]}
        onChange={([id]) => onChange(id === any ? undefined : id)}
      />
    </div>
  );
}
