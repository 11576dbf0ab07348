import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { TerminalView } from "@/api/bindings";
import { showToast } from "@/components/toasts";

/** Closes terminals. Asks first if a program is running. */
export function useCloseTerminal(
  reload: () => Promise<void>,
  onRunning: (terminal: TerminalView) => void,
) {
  const backend = useBackend();
  async function now({ id }: TerminalView) {
    try {
      await backend.call("terminal_close", { terminal: id });
    } catch (cause) {
      const { code, message } = ApiError.from(cause);
      // Closed elsewhere.
      if (code !== "not_found")
        showToast({ kind: "error", title: "Couldn't close the terminal", detail: message });
    }
    await reload();
  }
  async function ask(terminal: TerminalView) {
    // What runs isn't announced, so it is read now.
    const { terminals } = await backend
      .call("terminals_list", {})
      .catch(() => ({ terminals: [] as TerminalView[] }));
    const current = terminals.find(({ id }) => id === terminal.id);
    if (current?.program) onRunning(current);
    else await now(terminal);
  }
  return { now, ask };
}
