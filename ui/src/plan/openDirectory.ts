import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { DirectoryProgram, WorkPlace } from "@/api/bindings";
import { showToast } from "@/components/toasts";

/** Opens the directory of a blueprint or a node in another program. */
export async function openDirectory(
  backend: Pick<Backend, "call">,
  place: WorkPlace,
  program: DirectoryProgram,
): Promise<void> {
  try {
    await backend.call("directory_open", { place, program });
  } catch (cause) {
    const title = "Couldn't open the directory";
    showToast({ kind: "error", title, detail: ApiError.from(cause).message });
  }
}
