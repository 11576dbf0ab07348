import type { HistoryRow, NodeId } from "@/api/bindings";

/** One question of a node to a person, and what became of it. */
export interface QuestionAnswer {
  attempt: number;
  question: string;
  askedAt: number;
  /** None while nobody has answered, or when the node came to rest without an answer. */
  answer: { words: string; row: HistoryRow } | undefined;
}

/** What a node asked in a run and was answered, the latest first; `rows` may lack the beginning of the history. Pure. */
export function collectQuestionAnswers(
  rows: readonly HistoryRow[],
  node: NodeId,
): QuestionAnswer[] {
  const answers = new Map<number, QuestionAnswer["answer"]>();
  const exchanges: QuestionAnswer[] = [];
  // The latest event first, so an answer stands before its question.
  for (const row of rows) {
    const { event } = row;
    if (event.event === "input_given" && event.node === node)
      answers.set(event.attempt, { words: event.value, row });
    if (event.event === "input_asked" && event.node === node)
      exchanges.push({
        attempt: event.attempt,
        question: event.question,
        askedAt: row.at,
        answer: answers.get(event.attempt),
      });
  }
  return exchanges;
}
