import { useMemo } from "react";
import { create } from "zustand";
import { remember, useAppState } from "@/shell/appState";
import { type Filter, isSortColumn, type Sort, type Wish } from "./listing";

/** How the blueprints stand on the page. */
type ListShape = "table" | "cards";

interface ListWords extends Pick<Wish, "search" | "filter"> {
  setSearch: (search: string) => void;
  setFilter: (filter: Filter | undefined) => void;
}

interface ListLook extends Pick<Wish, "sort"> {
  shape: ListShape;
}

interface ListWish extends ListWords, ListLook {
  setSort: (sort: Sort | undefined) => void;
  setShape: (shape: ListShape) => void;
}

const name = "blueprints";

/** Search and chip, which last as long as the window. */
export const useListWords = create<ListWords>((set) => ({
  search: "",
  filter: undefined,
  setSearch: (search) => set({ search }),
  setFilter: (filter) => set({ filter }),
}));

/** What the person asks of the list. Shape and order are remembered, search and chip are not. */
export function useListWish(): ListWish {
  const words = useListWords();
  const stored = useAppState(({ ui }) => ui[name]);
  return useMemo(() => {
    const look = lookOf(stored);
    return {
      ...words,
      ...look,
      setSort: (sort) => remember(name, { ...look, sort }),
      setShape: (shape) => remember(name, { ...look, shape }),
    };
  }, [words, stored]);
}

/** What a stored value says of the list; what is not understood is as on the first day. */
function lookOf(value: unknown): ListLook {
  const { shape, sort } = (value ?? {}) as { shape?: unknown; sort?: unknown };
  return { shape: shape === "cards" ? "cards" : "table", sort: sortOf(sort) };
}

function sortOf(value: unknown): Sort | undefined {
  const { column, direction } = (value ?? {}) as { column?: unknown; direction?: unknown };
  if (!isSortColumn(column)) return undefined;
  return { column, direction: direction === "descending" ? "descending" : "ascending" };
}
