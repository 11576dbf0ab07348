/**
 * A refusal by the backend, or its absence. `code` and `retryable` are for decisions; `message` is what a person reads:
 * what happened, and what to do about it where that is known.
 * Codes of this side: `unreachable` (no answer) and `bad_answer` (an answer that is not ours).
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Whether the same call may succeed later, although nobody changes anything. */
  readonly retryable: boolean;
  /** All faults of a plan or file, a line each; `message` tells the first of them. */
  readonly faults: readonly string[];
  /** With `waits_for_person`: the request that a person has to allow. */
  readonly request: string | undefined;

  constructor(
    readonly code: string,
    message: string,
    { fix, retryable = false, faults = [], request }: ErrorParts = {},
  ) {
    super(fix ? `${message} ${fix}` : message);
    this.retryable = retryable;
    this.faults = faults;
    this.request = request;
  }

  /** Takes whatever a transport threw or sent as an error body. */
  static from(cause: unknown): ApiError {
    if (cause instanceof ApiError) return cause;
    if (isErrorBody(cause)) {
      const { code, message, fix, retryable, faults, request } = cause;
      return new ApiError(code, message, {
        ...(typeof fix === "string" && { fix }),
        retryable: retryable === true,
        faults: Array.isArray(faults) ? faults.filter((line) => typeof line === "string") : [],
        ...(typeof request === "string" && { request }),
      });
    }
    return new ApiError("bad_answer", cause instanceof Error ? cause.message : String(cause));
  }
}

interface ErrorParts {
  fix?: string;
  retryable?: boolean;
  faults?: readonly string[];
  request?: string;
}

interface ErrorBody {
  code: string;
  message: string;
  fix?: unknown;
  retryable?: unknown;
  faults?: unknown;
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
