/** The placeholder for a hidden value. */
export const maskPlaceholder = "••••••";

const secretNames = /key|token|secret|passw|auth|credential|cookie|session/i;
const secretShapes = /^(sk|pk|ghp|gho|github_pat|glpat|xox[a-z])[-_]|^(bearer|basic|token)\s/i;

/**
 * Returns whether a value is likely a secret, by its name or shape. A guess that errs on the side
 * of hiding. It hides values on the screen only, not in files. Pure.
 */
export function looksLikeSecret(name: string, value: string): boolean {
  return secretNames.test(name) || secretShapes.test(value) || isRandom(value);
}

/** Returns whether a value is long, has letters and digits, and no spaces or slashes. */
function isRandom(value: string): boolean {
  return /^[\w+=.~-]{24,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

/** Formats a command line with secrets masked, as arguments or in `--token=…`. */
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

/** Masks the user, password and query of a URL, which can contain secrets. */
export function maskUrl(address: string): string {
  return address
    .replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, `$1${maskPlaceholder}@`)
    .replace(/\?.*$/s, `?${maskPlaceholder}`);
}

/** Masks secrets in the URLs of an error message. */
export function maskError(error: string): string {
  return error.replace(/https?:\/\/[^\s)"'<>]+/gi, maskUrl);
}
