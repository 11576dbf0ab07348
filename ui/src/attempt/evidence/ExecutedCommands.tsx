import { type ReactElement, useState } from "react";
import type { CommandRun } from "@/api/bindings";
import { Button } from "@/components/Button";
import { classes } from "@/components/classes";
import { describeCommandEnd } from "./evidenceText";

const initialCount = 10;

/**
 * The commands that an attempt ran, with their exit codes. If there are many, only the last ones
 * are shown.
 */
export function ExecutedCommands(props: {
  commands: readonly CommandRun[];
  leftOut: number;
}): ReactElement | null {
  const { commands, leftOut } = props;
  const [all, setAll] = useState(false);
  if (commands.length === 0) return null;
  const from = all ? 0 : Math.max(0, commands.length - initialCount);
  const count = commands.length + leftOut;
  return (
    <section>
      <h4 className="mb-1 font-medium text-12">
        {count === 1 ? "1 command ran" : `${count} commands ran`}
      </h4>
      {from > 0 && (
        <Button size="small" className="mb-1" onClick={() => setAll(true)}>
          Show {from} earlier
        </Button>
      )}
      <ul aria-label="Commands that ran" className="flex flex-col">
        {commands.slice(from).map((run, at) => (
          // The position identifies a command.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <CommandRow key={from + at} run={run} />
        ))}
      </ul>
    </section>
  );
}

function CommandRow({ run }: { run: CommandRun }): ReactElement {
  const { words, bad } = describeCommandEnd(run.end);
  return (
    <li className="flex items-baseline gap-2 text-12 leading-5">
      <span title={run.command} className="min-w-0 flex-1 select-text truncate font-mono">
        {run.command}
      </span>
      <span
        className={classes(
          "shrink-0 tabular-nums",
          bad ? "font-medium text-danger-fg" : "text-faint",
        )}
      >
        {words}
      </span>
    </li>
  );
}
