/**
 * An error from the backend, or a failure to reach it. Code branches on `code` and `retryable`;
 * `message` is for people: what happened, and what to do if that is known.
 *
 * Two codes are set on this side: `unreachable` (no response) and `bad_answer` (a response that is
 * not from Baton).
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;
  /** All errors of a plan or file, one per line; `message` contains the first. */
  readonly faults: readonly string[];
  /** With `waits_for_person`: the id of the request that a person has to allow. */
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

  /** Converts anything that a transport threw or returned as an error body. */
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
