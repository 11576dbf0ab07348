import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactElement, useEffect, useState } from "react";
import { RouterProvider } from "react-router";
import type { Backend } from "@/api/Backend";
import { BackendContext } from "@/api/backendContext";
import { invalidateOnChanges } from "@/api/invalidation";
import { createQueryClient, pauseQueriesWhileDisconnected } from "@/api/queryClient";
import { ToastRegion } from "@/components/ToastRegion";
import { TooltipProvider } from "@/components/Tooltip";
import { followAppState } from "@/shell/appState";
import { preloadPages } from "./lazyPage";
import { createRouter } from "./routes";

/** The root component: the whole window on top of one backend. */
export function App({ backend }: { backend: Backend }): ReactElement {
  const [client] = useState(createQueryClient);
  const [router] = useState(createRouter);

  useEffect(() => invalidateOnChanges(client, backend), [backend, client]);
  useEffect(() => followAppState(backend), [backend]);
  useEffect(() => pauseQueriesWhileDisconnected(backend.connection), [backend]);
  // The window has its pages on disk.
  useEffect(() => (backend.connection ? preloadPages() : undefined), [backend]);

  return (
    <BackendContext value={backend}>
      <QueryClientProvider client={client}>
        <TooltipProvider>
          <ToastRegion>
            <RouterProvider router={router} />
          </ToastRegion>
        </TooltipProvider>
      </QueryClientProvider>
    </BackendContext>
  );
}
