/** The languages that a code field can highlight. */
export type CodeLanguage = "markdown" | "shell" | "plain";
