/** Titles that a page must be able to show, each with what is difficult about it. */

/** The longest title that Baton accepts, in characters. */
const longest = 500;

const fill = (text) => text.repeat(Math.ceil(longest / text.length)).slice(0, longest);

/** @type {Record<string, (number: number) => string>} A title of each kind; numbers tell them apart. */
export const titles = {
  short: (number) => `Build ${number}`,
  longest: (number) =>
    fill(
      `Release ${number} of the second edition to every customer who asked for it, and then `,
    ).trim(),
  arabic: (number) =>
    `إصدار رقم ${number} من التطبيق (beta) مع ملاحظات طويلة لكل فريق في الشركة ثم نشره`,
  unbroken: (number) => fill(`src/generated/number${number}_with_no_space_to_break_the_line_at_`),
  hebrew: (number) => `גרסה ${number} של התוכנה: בדיקה, בנייה ופרסום, ואז דוח ארוך לכל הצוותים`,
  emoji: (number) => `👩🏽‍💻 Ship ${number} 🚀🇺🇳 ${"👨‍👩‍👧‍👦".repeat(30)} z̸̡̛̼͇̰̈́̽͝a̵̧̛͖l̶̨̛g̵o`,
};

/** A title of every kind, in turn: the first rows of a list have them all. */
export const mixedTitle = (number) => {
  const kinds = Object.values(titles);
  return kinds[number % kinds.length](number);
};
