/**
 * The first command of a shell script that does its work, on one line: without comments, shell
 * options and changes of the directory before it. Pure.
 */
export function firstCommand(script: string): string {
  const lines = script.replace(/\\\r?\n/g, " ").split("\n");
  for (const line of lines) {
    const command = withoutPreparation(oneLine(line));
    if (command !== "") return command;
  }
  return oneLine(script);
}

/** Collapses all white space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

// A directory in quotes may contain spaces.
const directory = String.raw`(?:"[^"]*"|'[^']*'|(?:\\.|[^\s;&|\\])+)`;
const preparation = new RegExp(
  `^(?:cd(?: --)?(?: ${directory})?|set(?: [-+][^;&|]*)?|shopt [^;&|]*)(?: ?(?:&&|;) ?|$)`,
);

function withoutPreparation(line: string): string {
  if (line.startsWith("#")) return "";
  const rest = line.replace(preparation, "");
  return rest === line ? line : withoutPreparation(rest);
}
