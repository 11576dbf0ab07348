/** A place in a file that a session mentions. */
export interface FilePlace {
  /** Absolute, or relative to the session's directory. */
  path: string;
  /** Counted from 1. */
  line?: number;
  /** Counted from 1. */
  column?: number;
}
