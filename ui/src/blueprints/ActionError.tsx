import { CircleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { ApiError } from "@/api/ApiError";

/** Shows why an action failed, next to its button. Renders nothing without an error. */
export function ActionError({
  title,
  error,
}: {
  title: string;
  error: ApiError | null;
}): ReactElement | null {
  if (!error) return null;
  return (
    <div
      role="alert"
      className="flex items-start gap-2 rounded-control bg-danger-tint px-3 py-2 text-danger-fg"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-0 select-text break-words">
        <p className="font-medium">{title}</p>
        <p>{error.message}</p>
      </div>
    </div>
  );
}
