import type { ReactElement } from "react";
import { Link, type LinkProps } from "react-router";
import { type ButtonKind, type ButtonSize, buttonLook } from "./buttonLook";

export interface ButtonLinkProps extends LinkProps {
  kind?: ButtonKind;
  size?: ButtonSize;
}

/** A way to another page that looks like a button. */
export function ButtonLink({
  kind = "secondary",
  size = "medium",
  ...rest
}: ButtonLinkProps): ReactElement {
  return <Link {...rest} className={buttonLook(kind, size)} />;
}
