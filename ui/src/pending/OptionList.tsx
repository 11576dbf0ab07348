import { type KeyboardEventHandler, type ReactElement, useId } from "react";
import { classes } from "@/components/classes";
import { numberedAnswer, numberMark } from "./answerKeys";

export interface OptionListProps {
  options: readonly string[];
  value: string;
  error: string | undefined;
  onChange: (option: string) => void;
  onKeyDown: KeyboardEventHandler;
}

/** The options of a question as radio buttons. */
export function OptionList(props: OptionListProps): ReactElement {
  const { options, value, error, onChange, onKeyDown } = props;
  const id = useId();
  return (
    <fieldset
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className="flex max-w-full flex-col"
    >
      <legend className="sr-only">Answer</legend>
      {options.map((option, at) => {
        const numbered = numberedAnswer({ at });
        return (
          <label
            key={option}
            data-number={numbered["data-number"]}
            className={classes(
              "flex items-start gap-2 rounded-control px-1.5 py-0.5 hover:bg-hover before:mt-0.5 before:text-muted",
              numberMark,
            )}
          >
            <input
              type="radio"
              name={id}
              checked={option === value}
              onChange={() => onChange(option)}
              onKeyDown={onKeyDown}
              {...numbered}
              className="mt-0.75 size-3.5 shrink-0 accent-accent"
            />
            <span dir="auto" className="min-w-0 break-words">
              {option}
            </span>
          </label>
        );
      })}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="px-1.5 text-12 text-danger-fg">
          {error}
        </p>
      )}
    </fieldset>
  );
}
