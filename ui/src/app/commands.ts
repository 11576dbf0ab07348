import type { appCommands } from "@/commands/catalogue/app";
import type { ActsFor } from "@/commands/command";
import { useKeyList } from "@/commands/keyList";
import { paths } from "./paths";

interface Surroundings {
  navigate: (address: string) => unknown;
}

/** What can be done on every page. */
export function appActs({ navigate }: Surroundings): ActsFor<typeof appCommands> {
  const go = (address: string) => ({ run: () => navigate(address) });
  return {
    keys: { run: () => useKeyList.setState({ open: true }) },
    go_blueprints: go(paths.blueprints),
    go_sessions: go(paths.sessions),
    go_inbox: go(paths.inbox),
    go_statistics: go(paths.statistics),
    go_doctor: go(paths.doctor),
    go_settings: go(paths.settings),
  };
}
