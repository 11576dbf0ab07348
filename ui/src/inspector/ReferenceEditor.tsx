import { type ReactElement, useEffect, useMemo, useRef } from "react";
import { CodeEditor, type CodeEditorProps } from "@/components/CodeEditor";
import { type ReferenceableNode, referenceExtension } from "./referenceExtension";

export interface ReferenceEditorProps extends CodeEditorProps {
  nameable: readonly ReferenceableNode[];
}

/** The code editor with references to other nodes. Loaded lazily together with the editor. */
export function ReferenceEditor({ nameable, ...editor }: ReferenceEditorProps): ReactElement {
  const latest = useRef(nameable);
  useEffect(() => {
    latest.current = nameable;
  }, [nameable]);
  const extensions = useMemo(() => referenceExtension(() => latest.current), []);
  return <CodeEditor {...editor} extensions={extensions} />;
}
