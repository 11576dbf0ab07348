/** Keeps the quotes around right-to-left titles on their sides, whatever comes after them. */

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A title in quotes, for a sentence. */
export function quoteTitle(title: string): string {
  return `“${isolate(title)}”`;
}

/**
 * Isolates each right-to-left title that is quoted in a message of the backend. A quote within a
 * title ends it only before a space, a punctuation mark or the end.
 */
export function isolateQuotedTitles(message: string): string {
  if (!rightToLeft.test(message)) return message;
  return message.replace(
    /(?<=^|[\s(])'(.+?)'(?=$|[\s.,:;!?)])/gsu,
    (_, title: string) => `'${isolate(title)}'`,
  );
}

/** Texts without a right-to-left letter stay as they are, so that they can be found and copied. */
function isolate(title: string): string {
  return rightToLeft.test(title) ? `\u2068${title}\u2069` : title;
}
