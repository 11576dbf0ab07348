import { useMemo } from "react";
import { create } from "zustand";
import { setAppStateValue, useAppState } from "@/shell/appState";
import { type Filter, isSortColumn, type ListQuery, type Sort } from "./filterAndSort";

type ListLayout = "table" | "cards";

interface ListSearch extends Pick<ListQuery, "search" | "filter"> {
  setSearch: (search: string) => void;
  setFilter: (filter: Filter | undefined) => void;
}

interface StoredListView extends Pick<ListQuery, "sort"> {
  shape: ListLayout;
}

interface ListView extends ListSearch, StoredListView {
  setSort: (sort: Sort | undefined) => void;
  setShape: (shape: ListLayout) => void;
}

const name = "blueprints";

/** Search and filter. They are kept until the window closes. */
export const useListSearch = create<ListSearch>((set) => ({
  search: "",
  filter: undefined,
  setSearch: (search) => set({ search }),
  setFilter: (filter) => set({ filter }),
}));

/** The state of the list. Layout and sort order are stored, search and filter are not. */
export function useListView(): ListView {
  const words = useListSearch();
  const stored = useAppState(({ ui }) => ui[name]);
  return useMemo(() => {
    const look = parseStoredView(stored);
    return {
      ...words,
      ...look,
      setSort: (sort) => setAppStateValue(name, { ...look, sort }),
      setShape: (shape) => setAppStateValue(name, { ...look, shape }),
    };
  }, [words, stored]);
}

/** Reads the stored layout and sort order. Invalid values become the defaults. */
function parseStoredView(value: unknown): StoredListView {
  const { shape, sort } = (value ?? {}) as { shape?: unknown; sort?: unknown };
  return { shape: shape === "cards" ? "cards" : "table", sort: parseSort(sort) };
}

function parseSort(value: unknown): Sort | undefined {
  const { column, direction } = (value ?? {}) as { column?: unknown; direction?: unknown };
  if (!isSortColumn(column)) return undefined;
  return { column, direction: direction === "descending" ? "descending" : "ascending" };
}
