import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { matchRoutes } from "react-router";
import { expect, test } from "vitest";
import { definitionOf, isCommandId } from "@/commands/catalog";
import { headingId } from "@/help/headingId";
import { topicById, topics } from "@/help/topics";
import { settingsSections } from "@/settings/settingsSections";
import { linkedTopics } from "@/shell/helpTopicForPath";
import { routes } from "./routes";

const pages = join(import.meta.dirname, "../help/pages");
const top = join(import.meta.dirname, "../../..");
const documents = [
  join(top, "README.md"),
  join(top, "ARCHITECTURE.md"),
  ...readdirSync(pages).map((name) => join(pages, name)),
];

/** Text outside of code. */
const prose = (text: string) =>
  text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`]*`/g, "");

function linksOf(file: string): string[] {
  const text = prose(readFileSync(file, "utf8"));
  const written = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = ""]) => address);
  const drawn = [...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g)].map(
    ([, address = ""]) => address,
  );
  return [...written, ...drawn];
}

function anchorsOf(file: string): string[] {
  const text = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => headingId(heading));
}

/** Returns what is wrong with a link in `file`, or nothing when its target exists. */
function fault(file: string, address: string): string | undefined {
  if (/^https?:/.test(address)) return undefined;
  if (address.startsWith("command:")) {
    return isCommandId(address.slice("command:".length)) ? undefined : "no such command";
  }
  if (address.startsWith("#/")) return faultOfPlace(address.slice(1));
  const [path = "", anchor] = address.split("#");
  const target = path === "" ? file : join(dirname(file), path);
  if (!existsSync(target)) return "no such file";
  return anchor === undefined || anchorsOf(target).includes(anchor) ? undefined : "no such heading";
}

function faultOfPlace(place: string): string | undefined {
  const { pathname, searchParams } = new URL(place, "http://localhost");
  const route = matchRoutes(routes, pathname)?.at(-1)?.route;
  if (route === undefined || route.path === "*") return "no such page";
  const section = searchParams.get("section");
  const sections = settingsSections(true).map(({ title }) => title);
  return section === null || sections.includes(section) ? undefined : "no such section";
}

test.each(documents)("every link in %s leads somewhere", (file) => {
  const faults = linksOf(file).flatMap((address) => {
    const why = fault(file, address);
    return why === undefined ? [] : [`${address}: ${why}`];
  });
  expect(faults).toEqual([]);
});

test("detects broken links", () => {
  const page = join(pages, "running.md");
  expect(fault(page, "nowhere.md")).toBe("no such file");
  expect(fault(page, "edges.md#nowhere")).toBe("no such heading");
  expect(fault(page, "#/nowhere/at/all")).toBe("no such page");
  expect(fault(page, "#/settings?section=Nowhere")).toBe("no such section");
  expect(fault(page, "command:nowhere")).toBe("no such command");
  expect(fault(page, "#what-an-approval-covers")).toBeUndefined();
  expect(linksOf(page)).toContain("command:approve");
});

test("commands are named as in the app", () => {
  const named = topics.flatMap(({ text }) => [...text.matchAll(/\[([^\]]+)\]\(command:(\w+)\)/g)]);
  expect(named.length).toBeGreaterThan(10);
  const wrong = named.flatMap(([, label, id = ""]) =>
    isCommandId(id) && definitionOf(id).label !== label
      ? [`${label} is ${definitionOf(id).label}`]
      : [],
  );
  expect(wrong).toEqual([]);
});

test("every help page is in the contents with a title and summary", () => {
  const files = readdirSync(pages).filter((name) => name !== "contents.md");
  expect(topics.map(({ id }) => `${id}.md`).toSorted()).toEqual(files.toSorted());
  for (const { title, summary, text } of topics) {
    expect(title).not.toBe("");
    expect(summary).toMatch(/\.$/);
    expect(text.length).toBeLessThan(4_500);
  }
});

test("every app page maps to an existing topic", () => {
  expect(linkedTopics.filter((id) => topicById(id) === undefined)).toEqual([]);
});

test("every picture has a description, a light and a dark variant, and at most 120 kB", () => {
  const pictures = topics.flatMap(({ text }) => [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)]);
  for (const [, description, source = ""] of pictures) {
    expect(description).not.toBe("");
    for (const variant of [source, source.replace("-light.", "-dark.")]) {
      const file = join(pages, variant);
      expect(existsSync(file), variant).toBe(true);
      expect(readFileSync(file).length, variant).toBeLessThanOrEqual(120 * 1024);
    }
  }
});
