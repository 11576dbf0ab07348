import type { ComponentProps, ReactElement } from "react";
import { Link } from "react-router";
import { type ButtonKind, type ButtonSize, buttonClasses } from "./buttonClasses";

export interface ButtonLinkProps extends ComponentProps<typeof Link> {
  kind?: ButtonKind;
  size?: ButtonSize;
}

/** A link to another page that looks like a button. */
export function ButtonLink({
  kind = "secondary",
  size = "medium",
  ...rest
}: ButtonLinkProps): ReactElement {
  return <Link {...rest} className={buttonClasses(kind, size)} />;
}
