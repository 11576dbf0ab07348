import { matchPath } from "react-router";

/** The help topic for each page; the first match wins. */
const topicsByPage = [
  ["/help/api/*", "shell"],
  ["/help/:topic", undefined],
  ["/blueprints/new", "creating-blueprints"],
  ["/blueprints/:id/nodes/:nodeId", "timelines"],
  ["/blueprints/:id/compare", "versions"],
  ["/blueprints/:id/versions", "versions"],
  ["/blueprints/:id", "editor"],
  ["/runs", "run-history"],
  ["/runs/:run", "run-history"],
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

/** The help topic for the page at `pathname`; on a help page, that page's topic. */
export function helpTopicForPath(pathname: string): string {
  for (const [pattern, topic] of topicsByPage) {
    const match = matchPath(pattern, pathname);
    if (match) return topic ?? match.params.topic ?? firstTopic;
  }
  return firstTopic;
}

/** The topic shown when no other applies. */
export const firstTopic = "getting-started";

/** All topics that pages link to. */
export const linkedTopics: readonly string[] = [
  firstTopic,
  ...topicsByPage.flatMap(([, topic]) => topic ?? []),
];
