import type { CommandLine } from "@/api/bindings";
import { formatCommandLine } from "@/attempt/attemptFormat";

/** Returns a command as one line for the shell, with the arguments of an argv quoted as needed. */
export function commandText(command: CommandLine): string {
  return typeof command === "string" ? command : formatCommandLine(command);
}

/** Splits a shell command into words, with quotes as in a shell. Nothing is expanded. */
export function parseArgv(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part, single, double, escaped, plain] of text.matchAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s\S])|([^\s'"\\]+)|\s+/g,
  )) {
    const piece = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (piece !== undefined) word = (word ?? "") + piece;
    else if (part.trim() === "" && word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
