import { createHashRouter, matchRoutes, Navigate, type RouteObject } from "react-router";
import { paths } from "@/shell/paths";
import { AppLayout } from "./AppLayout";
import { lazyPage } from "./lazyPage";
import { NotFoundPage } from "./NotFoundPage";
import { PageError } from "./PageError";

/** All pages by address. Each loads its code when it is first opened. */
export const routes: RouteObject[] = [
  {
    element: <AppLayout />,
    children: [
      {
        errorElement: <PageError />,
        children: [
          { index: true, element: <Navigate to={paths.blueprints} replace /> },
          {
            path: "blueprints",
            lazy: lazyPage(() => import("./BlueprintsRoute"), "BlueprintsRoute"),
          },
          {
            path: "blueprints/new",
            lazy: lazyPage(() => import("@/blueprints/NewBlueprintPage"), "NewBlueprintPage"),
          },
          {
            path: "blueprints/:id",
            lazy: lazyPage(() => import("@/blueprint/BlueprintPage"), "BlueprintPage"),
          },
          {
            path: "blueprints/:id/nodes/:nodeId",
            lazy: lazyPage(() => import("@/sessions/NodeTimelinePage"), "NodeTimelinePage"),
          },
          {
            path: "runs",
            lazy: lazyPage(() => import("@/runs/RunsPage"), "RunsPage"),
          },
          {
            path: "runs/compare",
            lazy: lazyPage(() => import("@/runs/CompareRunsPage"), "CompareRunsPage"),
          },
          {
            path: "runs/:run",
            lazy: lazyPage(() => import("@/runs/RunLinkPage"), "RunLinkPage"),
          },
          {
            path: "sessions",
            lazy: lazyPage(() => import("@/sessions/SessionsPage"), "SessionsPage"),
          },
          {
            path: "session/:id",
            lazy: lazyPage(() => import("@/sessions/SessionPage"), "SessionPage"),
          },
          {
            path: "blueprints/:plan/compare",
            lazy: lazyPage(() => import("@/versions/ComparePage"), "ComparePage"),
          },
          {
            path: "blueprints/:plan/versions",
            lazy: lazyPage(() => import("@/versions/VersionsPage"), "VersionsPage"),
          },
          {
            path: "proposals/:proposal",
            lazy: lazyPage(() => import("@/proposals/ProposalPage"), "ProposalPage"),
          },
          {
            path: "inbox",
            lazy: lazyPage(() => import("@/inbox/InboxPage"), "InboxPage"),
          },
          {
            path: "statistics",
            lazy: lazyPage(() => import("@/statistics/StatisticsPage"), "StatisticsPage"),
          },
          {
            path: "doctor",
            lazy: lazyPage(() => import("@/doctor/DoctorPage"), "DoctorPage"),
          },
          {
            path: "settings",
            lazy: lazyPage(() => import("@/settings/SettingsPage"), "SettingsPage"),
          },
          {
            path: "settings/keys",
            lazy: lazyPage(() => import("@/settings/KeysPage"), "KeysPage"),
          },
          {
            path: "settings/licenses",
            lazy: lazyPage(() => import("@/settings/LicensesPage"), "LicensesPage"),
          },
          {
            path: "help/api/:operation?",
            lazy: lazyPage(() => import("@/apiReference/ApiReferencePage"), "ApiReferencePage"),
          },
          {
            path: "help/:topic?",
            lazy: lazyPage(() => import("@/help/HelpPage"), "HelpPage"),
          },
          { path: "*", element: <NotFoundPage /> },
        ],
      },
    ],
    HydrateFallback: () => null,
  },
];

/**
 * Addresses are in the fragment: they work under `tauri://` and `http://`, and the server needs no
 * routes for them.
 */
export function createRouter() {
  movePathToFragment();
  return createHashRouter(routes);
}

/** Somebody may type an address without `#`, such as `/runs`: it leads to the page that it names. */
function movePathToFragment(): void {
  const { hash, pathname, search } = window.location;
  const isPage = matchRoutes(routes, pathname)?.at(-1)?.route.path?.match(/\w/);
  if (isPage && hash === "") window.history.replaceState(null, "", `/#${pathname}${search}`);
}
