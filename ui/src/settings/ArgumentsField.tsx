import { Plus, X } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Button } from "@/components/Button";
import { IconButton } from "@/components/IconButton";
import { TextField } from "@/components/TextField";

/** A command line with one field per argument, so that nothing needs quoting. */
export function ArgumentsField({
  command,
  programFault,
  placeholder,
  note,
  onChange,
}: {
  /** The program, then its arguments. */
  command: readonly string[];
  programFault: string | undefined;
  placeholder: string;
  /** An explanation below the arguments. */
  note: ReactNode;
  onChange: (command: string[]) => void;
}): ReactElement {
  const [program = "", ...rest] = command;
  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label="Program"
        mono
        placeholder={placeholder}
        error={programFault}
        value={program}
        onChange={(value) => onChange([value, ...rest])}
      />
      <p className="mt-1.5 font-medium text-12 text-muted">Arguments</p>
      {rest.map((argument, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument is identified by its position
        <div key={at} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <TextField
              label={`Argument ${at + 1}`}
              labelHidden
              mono
              value={argument}
              onChange={(value) => onChange([program, ...rest.with(at, value)])}
            />
          </div>
          <IconButton
            label={`Remove argument ${at + 1}`}
            icon={<X />}
            onClick={() => onChange([program, ...rest.toSpliced(at, 1)])}
          />
        </div>
      ))}
      <div>
        <Button size="small" onClick={() => onChange([program, ...rest, ""])}>
          <Plus aria-hidden="true" />
          Add argument
        </Button>
      </div>
      <p className="text-12 text-muted">{note}</p>
    </div>
  );
}
