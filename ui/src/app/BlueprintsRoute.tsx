import type { ReactElement } from "react";
import { BlueprintsPage } from "@/blueprints/BlueprintsPage";
import { usePreloadEditor } from "./usePreloadEditor";

/** The list of blueprints, which loads the editor ahead of the press that opens one. */
export function BlueprintsRoute(): ReactElement {
  usePreloadEditor();
  return <BlueprintsPage />;
}
