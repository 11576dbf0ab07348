/** What a code field knows to color. */
export type CodeLanguage = "markdown" | "shell" | "plain";
