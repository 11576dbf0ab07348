import { createHashRouter, Navigate, type RouteObject } from "react-router";
import { paths } from "@/shell/paths";
import { Frame } from "./Frame";
import { NotFoundPage } from "./NotFoundPage";
import { PageFailure } from "./PageFailure";
import { pageOf } from "./pageOf";

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
            lazy: pageOf(() => import("./BlueprintsRoute"), "BlueprintsRoute"),
          },
          {
            path: "blueprints/new",
            lazy: pageOf(() => import("@/blueprints/NewBlueprintPage"), "NewBlueprintPage"),
          },
          {
            path: "blueprints/:id",
            lazy: pageOf(() => import("@/blueprint/BlueprintPage"), "BlueprintPage"),
          },
          {
            path: "blueprints/:id/nodes/:nodeId",
            lazy: pageOf(() => import("@/sessions/NodeTimelinePage"), "NodeTimelinePage"),
          },
          {
            path: "sessions",
            lazy: pageOf(() => import("@/sessions/SessionsPage"), "SessionsPage"),
          },
          {
            path: "session/:id",
            lazy: pageOf(() => import("@/sessions/SessionPage"), "SessionPage"),
          },
          {
            path: "blueprints/:plan/compare",
            lazy: pageOf(() => import("@/versions/ComparePage"), "ComparePage"),
          },
          {
            path: "proposals/:proposal",
            lazy: pageOf(() => import("@/proposals/ProposalPage"), "ProposalPage"),
          },
          {
            path: "inbox",
            lazy: pageOf(() => import("@/inbox/InboxPage"), "InboxPage"),
          },
          {
            path: "statistics",
            lazy: pageOf(() => import("@/statistics/StatisticsPage"), "StatisticsPage"),
          },
          {
            path: "doctor",
            lazy: pageOf(() => import("@/doctor/DoctorPage"), "DoctorPage"),
          },
          {
            path: "settings",
            lazy: pageOf(() => import("@/settings/SettingsPage"), "SettingsPage"),
          },
          {
            path: "settings/keys",
            lazy: pageOf(() => import("@/settings/KeysPage"), "KeysPage"),
          },
          {
            path: "settings/licenses",
            lazy: pageOf(() => import("@/settings/LicensesPage"), "LicensesPage"),
          },
          {
            path: "help/:topic?",
            lazy: pageOf(() => import("@/help/HelpPage"), "HelpPage"),
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
