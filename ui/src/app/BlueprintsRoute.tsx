import type { ReactElement } from "react";
import { BlueprintsPage } from "@/blueprints/BlueprintsPage";
import { usePreloadEditor } from "./usePreloadEditor";

/** The list of blueprints, which preloads the editor before a blueprint is opened. */
export function BlueprintsRoute(): ReactElement {
  usePreloadEditor();
  return <BlueprintsPage />;
}
