import "@xyflow/react/dist/style.css";
import { Handle, type Node, type NodeProps, Position, ReactFlow } from "@xyflow/react";
import { memo, type ReactElement, useState } from "react";
import { createRoot } from "react-dom/client";

/**
 * Plain React Flow as in its guide, for `cargo xtask bench canvas`: all nodes given, sizes known, a memoized node of two
 * lines, nothing else. The graph is fetched when `openGraph` is called, so that loading the code is not measured.
 */

interface Graph {
  nodes: { id: string; title: string; x: number; y: number }[];
  edges: { parent: string; child: string }[];
}

type PlainNode = Node<{ title: string }, "plain">;

const size = { width: 180, height: 60 };

const Plain = memo(function Plain({ data }: NodeProps<PlainNode>): ReactElement {
  const style = { ...size, background: "#fff", border: "1px solid #bbb", borderRadius: 8 };
  return (
    <div style={{ ...style, padding: 6, fontSize: 12, boxSizing: "border-box" }}>
      <Handle type="target" position={Position.Left} />
      <div style={{ fontWeight: 600 }}>{data.title}</div>
      <div style={{ color: "#666" }}>command</div>
      <Handle type="source" position={Position.Right} />
    </div>
  );
});

const nodeTypes = { plain: Plain };

function Page({ graph }: { graph: Graph }): ReactElement {
  const [nodes, setNodes] = useState((): PlainNode[] =>
    graph.nodes.map(({ id, title, x, y }) => ({
      id,
      type: "plain",
      position: { x, y },
      data: { title },
      ...size,
    })),
  );
  const [edges] = useState(() =>
    graph.edges.map(({ parent, child }) => ({
      id: `${parent}>${child}`,
      source: parent,
      target: child,
    })),
  );
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      onNodesChange={(changes) =>
        setNodes((before) => {
          const moved = new Map(
            changes.flatMap((change) =>
              change.type === "position" && change.position ? [[change.id, change.position]] : [],
            ),
          );
          if (moved.size === 0) return before;
          return before.map((node) => {
            const position = moved.get(node.id);
            return position ? { ...node, position } : node;
          });
        })
      }
      fitView
      panOnScroll
      minZoom={0.02}
      onInit={(flow) => {
        window.showMiddle = () => {
          const middle = graph.nodes[Math.floor(graph.nodes.length / 2)];
          if (middle) void flow.setCenter(middle.x, middle.y, { zoom: 1 });
        };
      }}
    />
  );
}

declare global {
  interface Window {
    openGraph: (address: string) => Promise<void>;
    showMiddle: () => void;
  }
}

window.openGraph = async (address) => {
  const answer = await fetch(address);
  const root = document.getElementById("root");
  if (root) createRoot(root).render(<Page graph={await answer.json()} />);
};
