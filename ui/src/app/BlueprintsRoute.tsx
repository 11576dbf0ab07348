import type { ReactElement } from "react";
import { BlueprintsPage } from "@/blueprints/BlueprintsPage";
import { useEditorAhead } from "./useEditorAhead";

/** The list of blueprints, which loads the editor ahead of the press that opens one. */
export function BlueprintsRoute(): ReactElement {
  useEditorAhead();
  return <BlueprintsPage />;
}
