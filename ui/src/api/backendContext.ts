import { createContext, useContext } from "react";
import type { Backend } from "./Backend";

/** Provides the backend to all components; tests provide a fake one. */
export const BackendContext = createContext<Backend | undefined>(undefined);

/** Returns the backend of this window. Prefer `useOperation` where it is enough. */
export function useBackend(): Backend {
  const backend = useContext(BackendContext);
  if (!backend) throw new Error("no BackendContext above this component");
  return backend;
}
