import { refusalWords } from "./refusalWords";

/**
 * A refusal by the backend, or its absence. `code` is for decisions, `message` is a sentence for the person.
 * Codes of this side: `unreachable` (no answer) and `bad_answer` (an answer that is not ours).
 * With `waits_for_person`, `request` is the id of the request that a person has to allow.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: string,
    message: string,
    /** The faults of a plan or file, a line each; empty when there is only the message. */
    readonly details: readonly string[] = [],
    readonly request?: string,
  ) {
    super(message);
  }

  /** Takes whatever a transport threw or sent as an error body. */
  static from(cause: unknown): ApiError {
    if (cause instanceof ApiError) return cause;
    if (isErrorBody(cause)) {
      const { code, message, details, request } = cause;
      const lines = Array.isArray(details)
        ? details.filter((line) => typeof line === "string")
        : [];
      const waiting = typeof request === "string" ? request : undefined;
      return new ApiError(code, refusalWords(code, message), lines, waiting);
    }
    return new ApiError("bad_answer", cause instanceof Error ? cause.message : String(cause));
  }
}

interface ErrorBody {
  code: string;
  message: string;
  details?: unknown;
  request?: unknown;
}

function isErrorBody(value: unknown): value is ErrorBody {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}
