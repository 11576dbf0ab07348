/** How what the store and the engine could not do begins; completes "failed to …". */
const failedAct =
  /^(open|read|find|change the proposal|store|delete the plan|replay|use|reach|take over|go on with run|start the engine|write (?:to |a value|\/))/;

const waitsForPerson =
  "Only a person may do this, and an agent opened this page. Allow the request in the Inbox of your own window.";

const advice: Record<string, string> = {
  not_found: "It may have been deleted meanwhile: go back and choose again.",
  conflict: "Look at it again, then repeat what you did.",
  forbidden: "Open Baton with a token that may do this, or do it in the window.",
  busy: "Try again in a moment.",
  unavailable: "Mend that, or look into Doctor, then try again.",
  internal: "This is a fault in Baton: try again, and report it if it stays.",
};

/**
 * What the backend says as a sentence for the person. It sends fragments where a shell completes them; those of a
 * failed act say neither what happened in a sentence nor what to do, so both is added. Whole sentences stay.
 */
export function refusalWords(code: string, message: string): string {
  // The request's id says nothing to a person; the Inbox shows what it is about.
  if (code === "waits_for_person") return waitsForPerson;
  if (!/^[a-z]/.test(message)) return message;
  const ended = /[.!?]$/.test(message) ? message : `${message}.`;
  if (!failedAct.test(message)) return ended.charAt(0).toUpperCase() + ended.slice(1);
  const next = message.includes(";") ? undefined : advice[code];
  return [`Baton failed to ${ended}`, next].filter(Boolean).join(" ");
}
