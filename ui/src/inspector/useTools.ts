/** A tool that nodes can call. */
export interface ToolInfo {
  name: string;
  description: string;
  guarded: boolean;
  /** The JSON schema of its arguments. */
  arguments: unknown;
}

const builtIn: readonly ToolInfo[] = [
  "shell",
  "read",
  "write",
  "glob",
  "http",
  "list_plans",
  "create_plan",
  "add_plan_step",
  "get_plan_details",
  "execute_plan",
  "pause_plan",
  "delete_plan",
].map((name) => ({ name, description: "", guarded: false, arguments: undefined }));

/** The tools that nodes can call here. */
export function useTools(): readonly ToolInfo[] {
  return builtIn;
}
