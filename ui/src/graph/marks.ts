/** Highlights that a node can have in addition to its state. Each set holds scene indexes. */
export interface Marks {
  /** Nodes with a problem that keeps the plan from being saved. */
  troubled: ReadonlySet<number>;
  critical: ReadonlySet<number>;
  /** Nodes that match the current search. */
  found: ReadonlySet<number>;
  selected: ReadonlySet<number>;
}

export type Mark = keyof Marks;
