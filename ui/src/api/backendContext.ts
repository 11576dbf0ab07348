import { createContext, useContext } from "react";
import type { Backend } from "./Backend";

/** Carries the backend to the tree; tests put their own in. */
export const BackendContext = createContext<Backend | undefined>(undefined);

/** The backend of this window. Pages use `useOperation` instead wherever that does. */
export function useBackend(): Backend {
  const backend = useContext(BackendContext);
  if (!backend) throw new Error("no BackendContext above this component");
  return backend;
}
