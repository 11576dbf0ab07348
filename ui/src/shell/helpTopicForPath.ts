import { matchPath } from "react-router";

/** Which help topic explains which page, the first that fits. */
const topicsByPage = [
  ["/help/:topic", undefined],
  ["/blueprints/new", "creating-blueprints"],
  ["/blueprints/:id/nodes/:nodeId", "timelines"],
  ["/blueprints/:id/compare", "versions"],
  ["/blueprints/:id", "editor"],
  ["/sessions", "timelines"],
  ["/session/:id", "timelines"],
  ["/proposals/:id", "creating-blueprints"],
  ["/inbox", "permissions"],
  ["/statistics", "run-history"],
  ["/doctor", "trouble"],
  ["/settings/keys", "keyboard"],
  ["/settings/licenses", "settings"],
  ["/settings", "settings"],
] as const;

/** The topic that explains the page at `pathname`; on a help page, its own. */
export function helpTopicForPath(pathname: string): string {
  for (const [pattern, topic] of topicsByPage) {
    const match = matchPath(pattern, pathname);
    if (match) return topic ?? match.params.topic ?? firstTopic;
  }
  return firstTopic;
}

/** Where somebody begins who has come from nowhere in particular. */
export const firstTopic = "getting-started";

/** Every topic that a page leads to. */
export const linkedTopics: readonly string[] = [
  firstTopic,
  ...topicsByPage.flatMap(([, topic]) => topic ?? []),
];
