import { createHashRouter, Navigate, type RouteObject } from "react-router";
import { Frame } from "./Frame";
import { NotFoundPage } from "./NotFoundPage";
import { PageFailure } from "./PageFailure";
import { paths } from "./paths";

/** Every page by its address; each loads its code when it is first opened. */
export const routes: RouteObject[] = [
  {
    element: <Frame />,
    children: [
      {
        errorElement: <PageFailure />,
        children: [
          { index: true, element: <Navigate to={paths.blueprints} replace /> },
          {
            path: "blueprints",
            lazy: async () => ({
              Component: (await import("@/blueprints/BlueprintsPage")).BlueprintsPage,
            }),
          },
          {
            path: "blueprints/new",
            lazy: async () => ({
              Component: (await import("@/blueprints/NewBlueprintPage")).NewBlueprintPage,
            }),
          },
          {
            path: "blueprints/:id",
            lazy: async () => ({
              Component: (await import("@/blueprint/BlueprintPage")).BlueprintPage,
            }),
          },
          {
            path: "blueprints/:id/nodes/:nodeId",
            lazy: async () => ({
              Component: (await import("@/timeline/NodeTimelinePage")).NodeTimelinePage,
            }),
          },
          {
            path: "sessions",
            lazy: async () => ({
              Component: (await import("@/sessions/SessionsPage")).SessionsPage,
            }),
          },
          {
            path: "session/:id",
            lazy: async () => ({
              Component: (await import("@/sessions/SessionPage")).SessionPage,
            }),
          },
          {
            path: "blueprints/:plan/compare",
            lazy: async () => ({
              Component: (await import("@/versions/ComparePage")).ComparePage,
            }),
          },
          {
            path: "proposals/:proposal",
            lazy: async () => ({
              Component: (await import("@/proposals/ProposalPage")).ProposalPage,
            }),
          },
          {
            path: "inbox",
            lazy: async () => ({
              Component: (await import("@/inbox/InboxPage")).InboxPage,
            }),
          },
          {
            path: "statistics",
            lazy: async () => ({
              Component: (await import("@/statistics/StatisticsPage")).StatisticsPage,
            }),
          },
          {
            path: "doctor",
            lazy: async () => ({
              Component: (await import("@/doctor/DoctorPage")).DoctorPage,
            }),
          },
          {
            path: "settings",
            lazy: async () => ({
              Component: (await import("@/settings/SettingsPage")).SettingsPage,
            }),
          },
          {
            path: "settings/keys",
            lazy: async () => ({
              Component: (await import("@/settings/KeysPage")).KeysPage,
            }),
          },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
    HydrateFallback: () => null,
  },
];

/** Addresses live in the fragment: the same under `tauri://` and `http://`, and no server has to know them. */
export function createRouter() {
  return createHashRouter(routes);
}
