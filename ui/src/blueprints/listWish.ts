import { create } from "zustand";
import type { Filter, Sort, Wish } from "./listing";

/** How the blueprints stand on the page. */
export type ListShape = "table" | "cards";

interface ListWish extends Wish {
  shape: ListShape;
  setSearch: (search: string) => void;
  setFilter: (filter: Filter | undefined) => void;
  setSort: (sort: Sort | undefined) => void;
  setShape: (shape: ListShape) => void;
}

const key = "baton.blueprints";

/** What the person asks of the list. Search and chip last as long as the window, shape and order are kept on this machine. */
export const useListWish = create<ListWish>((set, get) => {
  function keep(change: Partial<Pick<ListWish, "shape" | "sort">>) {
    set(change);
    const { shape, sort } = get();
    localStorage.setItem(key, JSON.stringify({ shape, sort }));
  }
  return {
    search: "",
    filter: undefined,
    ...kept(),
    setSearch: (search) => set({ search }),
    setFilter: (filter) => set({ filter }),
    setSort: (sort) => keep({ sort }),
    setShape: (shape) => keep({ shape }),
  };
});

function kept(): Pick<ListWish, "shape" | "sort"> {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<ListWish>;
    return { shape: value.shape === "cards" ? "cards" : "table", sort: value.sort };
  } catch {
    // Somebody else wrote there: as on the first day.
    return { shape: "table", sort: undefined };
  }
}
