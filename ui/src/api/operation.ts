import type { Operations } from "./bindings";

/** The name of one operation of the backend. */
export type OperationName = keyof Operations & string;
/** What the operation `O` takes. */
export type OperationInput<O extends OperationName> = Operations[O]["input"];
/** What the operation `O` answers. */
export type OperationOutput<O extends OperationName> = Operations[O]["output"];
