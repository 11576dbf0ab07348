import type { Backend } from "@/api/Backend";

/** What commands need besides the open blueprint. */
export interface CommandContext {
  backend: Pick<Backend, "call" | "desktop" | "saveText" | "saveBytes">;
  /** Navigates to a path in the app. */
  go: (address: string) => void;
  star: { isThere: () => boolean; put: (there: boolean) => void };
}
