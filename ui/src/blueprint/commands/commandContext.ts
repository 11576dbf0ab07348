import type { Backend } from "@/api/Backend";

/** What commands need beside the open blueprint. */
export interface CommandContext {
  backend: Pick<Backend, "call" | "saveText" | "saveBytes">;
  /** Goes to an address of the app. */
  go: (address: string) => void;
  /** The star of the open blueprint. */
  star: { isThere: () => boolean; put: (there: boolean) => void };
}
