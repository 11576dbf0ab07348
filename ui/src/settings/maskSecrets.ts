/** What stands for a value that is not shown. */
export const maskPlaceholder = "••••••";

const secretNames = /key|token|secret|passw|auth|credential|cookie|session/i;
const secretShapes = /^(sk|pk|ghp|gho|github_pat|glpat|xox[a-z])[-_]|^(bearer|basic|token)\s/i;

/**
 * Whether a value is likely a key, by its name or its shape: then nobody who looks over a shoulder should read it. A
 * guess that errs on the side of hiding; it protects a screen, not a file. Pure.
 */
export function looksLikeSecret(name: string, value: string): boolean {
  return secretNames.test(name) || secretShapes.test(value) || isRandom(value);
}

/** Long, one word, letters and digits mixed, and no path. */
function isRandom(value: string): boolean {
  return /^[\w+=.~-]{24,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

/** A command line for people; arguments that look like keys, alone or as `--token=…`, are masked. */
export function maskCommand(command: readonly string[]): string {
  return command
    .map((argument, at) => (at === 0 ? argument : shownArgument(argument, command[at - 1] ?? "")))
    .join(" ");
}

function shownArgument(argument: string, before: string): string {
  const [, option, value] = /^(--?[\w-]+=)(.+)$/s.exec(argument) ?? [];
  if (option !== undefined && value !== undefined)
    return looksLikeSecret(option, value) ? `${option}${maskPlaceholder}` : argument;
  const follows = /^--?[a-z]/i.test(before) && !before.includes("=") && !argument.startsWith("-");
  return looksLikeSecret(follows ? before : "", argument) ? maskPlaceholder : argument;
}

/** An address for people, without the user, password and query in it: keys stand there. */
export function maskUrl(address: string): string {
  return address
    .replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, `$1${maskPlaceholder}@`)
    .replace(/\?.*$/s, `?${maskPlaceholder}`);
}

/** What a server's failure says, without what keys the addresses in it may hold. */
export function maskError(error: string): string {
  return error.replace(/https?:\/\/[^\s)"'<>]+/gi, maskUrl);
}
