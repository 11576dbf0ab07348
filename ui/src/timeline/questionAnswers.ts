import type { HistoryRow, NodeId } from "@/api/bindings";

/** A question that a node asked a person, with its answer. */
export interface QuestionAnswer {
  attempt: number;
  question: string;
  askedAt: number;
  /** `undefined` while the question is open, or when the node ended without an answer. */
  answer: { words: string; row: HistoryRow } | undefined;
}

/**
 * Collects the questions and answers of a node, latest first. `rows` may lack the beginning of the
 * history.
 */
export function collectQuestionAnswers(
  rows: readonly HistoryRow[],
  node: NodeId,
): QuestionAnswer[] {
  const answers = new Map<number, QuestionAnswer["answer"]>();
  const exchanges: QuestionAnswer[] = [];
  // Rows are latest first, so an answer precedes its question.
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
