import {
  ArrowDownToLine,
  ArrowUpToLine,
  ChevronDown,
  ChevronUp,
  CircleAlert,
  Hash,
} from "lucide-react";
import type { ReactElement } from "react";
import type { OutputLineCount } from "@/api/bindings";
import { useKeyBindings } from "@/commands/keyBindings";
import { Button } from "@/components/Button";
import { IconButton } from "@/components/IconButton";
import { GoToLineField } from "./GoToLineField";
import { OutputMenus, type OutputMenusProps } from "./OutputMenus";
import type { OutputReader, OutputState } from "./OutputReader";
import { OutputSearchField, type OutputSearchFieldProps } from "./OutputSearchField";
import type { ErrorJump } from "./useErrorJump";

export interface OutputToolbarProps extends OutputSearchFieldProps, OutputMenusProps {
  reader: OutputReader;
  state: OutputState;
  errorJump: ErrorJump;
  count: OutputLineCount | undefined;
  /** The field for a line number is open. */
  isGoingToLine: boolean;
  onGoingToLine: (open: boolean) => void;
  onLine: (line: number) => void;
}

/** The toolbar above an output: search, navigation, and what can be done with it. */
export function OutputToolbar(props: OutputToolbarProps): ReactElement {
  const { reader, state, errorJump, count, isGoingToLine, onGoingToLine, onLine } = props;
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-start gap-x-2 gap-y-1 border-b px-4 py-1.5">
      <OutputSearchField search={props.search} field={props.field} onLeave={props.onLeave} />
      {isGoingToLine && (
        <GoToLineField count={count} onGo={onLine} onLeave={() => onGoingToLine(false)} />
      )}
      <span role="status" className="flex h-7 min-w-0 items-center truncate text-12 text-faint">
        {errorJump.status}
      </span>
      <div className="ml-auto flex items-center">
        {!state.ended && (
          <Button
            kind="ghost"
            aria-pressed={state.following}
            className="aria-pressed:bg-active aria-pressed:text-fg"
            onClick={() => (state.following ? reader.unfollow() : reader.toEnd())}
          >
            Follow
          </Button>
        )}
        <Navigation {...props} />
        <IconButton
          label="Go to line"
          keys="Mod+G"
          icon={<Hash />}
          aria-expanded={isGoingToLine}
          onClick={() => onGoingToLine(!isGoingToLine)}
        />
        <OutputMenus {...props} />
      </div>
    </div>
  );
}

function Navigation({ reader, errorJump }: OutputToolbarProps): ReactElement {
  const { keysOf } = useKeyBindings();
  return (
    <>
      <CircleAlert aria-hidden="true" className="mx-1 size-4 text-faint" />
      <IconButton
        size="small"
        label="Previous error"
        keys={keysOf("timeline_previous_error")[0] ?? ""}
        icon={<ChevronUp />}
        onClick={() => errorJump.go(-1)}
      />
      <IconButton
        size="small"
        label="Next error"
        keys={keysOf("timeline_next_error")[0] ?? ""}
        icon={<ChevronDown />}
        onClick={() => errorJump.go(1)}
      />
      <IconButton
        label="Start of output"
        keys={keysOf("timeline_beginning")[0] ?? ""}
        icon={<ArrowUpToLine />}
        onClick={() => reader.toStart()}
      />
      <IconButton
        label="End of output"
        keys={keysOf("timeline_end")[0] ?? ""}
        icon={<ArrowDownToLine />}
        onClick={() => reader.toEnd()}
      />
    </>
  );
}
