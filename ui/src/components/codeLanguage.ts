/** What a code field knows to colour. */
export type CodeLanguage = "markdown" | "shell" | "plain";
