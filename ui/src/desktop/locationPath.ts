import type { AppLocation } from "@/api/Backend";
import { paths } from "@/shell/paths";

/** Returns the address of a location in the window. */
export function locationPath(place: AppLocation): string {
  switch (place.page) {
    case "blueprints":
      return paths.blueprints;
    case "new_blueprint":
      return paths.newBlueprint;
    case "sessions":
      return paths.sessions;
    case "inbox":
      return paths.inbox;
    case "blueprint":
      return place.run === undefined
        ? paths.blueprint(place.plan)
        : paths.blueprintAt(place.plan, { run: place.run });
    case "node":
      return paths.node(place.plan, place.node);
    case "session":
      return paths.session(place.session);
  }
}
