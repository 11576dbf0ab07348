import type { Operations } from "./bindings";

/** The name of a backend operation. */
export type OperationName = keyof Operations & string;
/** The input of the operation `O`. */
export type OperationInput<O extends OperationName> = Operations[O]["input"];
/** The output of the operation `O`. */
export type OperationOutput<O extends OperationName> = Operations[O]["output"];
