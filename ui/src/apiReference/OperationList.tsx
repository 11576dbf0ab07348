import { Search } from "lucide-react";
import { Fragment, type ReactElement } from "react";
import { Link } from "react-router";
import { formatCount } from "@/components/formatCount";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { TextField } from "@/components/TextField";
import { paths } from "@/shell/paths";
import { MethodName } from "./MethodName";
import { type ApiOperation, findOperations, groupOperations } from "./openApi";

export interface OperationListProps {
  operations: readonly ApiOperation[];
  /** The name of the displayed operation. */
  current: string;
  /** The search text; when empty, every operation is shown. */
  query: string;
  onSearch: (text: string) => void;
}

/** All operations by topic, with a search field above. */
export function OperationList(props: OperationListProps): ReactElement {
  const { operations, current, query, onSearch } = props;
  const found = findOperations(operations, query);
  const searching = query.trim() !== "";
  return (
    <div
      {...keyboardScrollable}
      className="flex w-80 max-w-[40%] shrink-0 flex-col gap-3 overflow-auto border-r bg-canvas p-3"
    >
      <TextField
        label="Search operations"
        labelHidden
        type="search"
        value={query}
        onChange={onSearch}
        placeholder="Search operations"
        icon={<Search />}
      />
      <p role="status" className={searching ? "px-2 text-12 text-muted" : "sr-only"}>
        {searching && (found.length === 0 ? "No matches" : formatCount(found.length, "operation"))}
      </p>
      <nav aria-label="Operations" className="flex flex-col gap-4">
        {groupOperations(found).map((group) => (
          <div key={group.title}>
            <p className="px-2 pb-1 text-11 text-faint">{group.title}</p>
            {group.operations.map((operation) => (
              <OperationLink
                key={operation.operationId}
                operation={operation}
                isCurrent={operation.operationId === current}
              />
            ))}
          </div>
        ))}
      </nav>
    </div>
  );
}

interface OperationLinkProps {
  operation: ApiOperation;
  isCurrent: boolean;
}

function OperationLink({ operation, isCurrent }: OperationLinkProps): ReactElement {
  return (
    <Link
      to={paths.apiOperation(operation.operationId)}
      aria-current={isCurrent ? "page" : undefined}
      title={operation.summary}
      className="flex items-baseline gap-2 rounded-control px-2 py-1 text-12 text-muted transition-colors hover:bg-hover hover:text-fg aria-[current=page]:bg-active aria-[current=page]:text-fg"
    >
      <MethodName method={operation.method} />
      <span className="min-w-0 break-words font-mono">
        <BreakablePath path={shortPath(operation.path)} />
      </span>
    </Link>
  );
}

/** A path that breaks between its parts. */
function BreakablePath({ path }: { path: string }): ReactElement {
  return (
    <>
      {path.split(/(?=\/)/).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a part
        <Fragment key={at}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}

/** Every path begins with `/api/`. */
function shortPath(path: string): string {
  return path.replace(/^\/api/, "");
}
