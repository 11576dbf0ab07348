import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type { GroupId, Node, NodeId, Plan, Position } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { edgeKey } from "@/graph/edgeKey";
import { cardSize, type Direction, freePlace, neighbour, reading, snapped } from "@/graph/geometry";
import { adjacencyOf, connectionRefusal, refusalWords } from "@/graph/reachability";
import { createArrangeActs } from "./arrangeActs";
import { clipboardText, parseClipboard } from "./clipboard";
import type { Editor } from "./editor";
import * as edits from "./edits";
import { createGroupActs } from "./groupActs";
import { moveToGroup } from "./groups";
import { healNodes } from "./heal";
import { withKin } from "./kin";
import { type KindName, kindWords } from "./kinds";
import { titleWords } from "./nodeWords";
import { createNoteActs } from "./noteActs";
import type { Page, PickPlace } from "./page";
import { claimsPlan, readPlanText } from "./planText";
import { replaceNode } from "./replace";
import { matchesOf, nextMatch } from "./search";
import { targetOf, type WayKind, wayKey, wayOfKey } from "./ways";

const besides = 64;
const copyOffset = { x: 32, y: 32 };

/** Everything that a key, a menu or a drag does to the plan; each is one step of undo. */
export function createEditActs(editor: Editor, page: Page, backend: Pick<Backend, "call">) {
  const plan = () => editor.getState().plan;
  const selection = () => editor.getState().selection;
  const nodeOf = (id: NodeId) => plan().nodes.find((node) => node.id === id);
  const titleOf = (id: NodeId) => titleWords(nodeOf(id)?.title ?? "");
  const placeOf = (id: NodeId): Position | undefined =>
    page.getState().canvas?.placeOf(id) ?? nodeOf(id)?.position ?? undefined;

  /** Where a node stands when nobody drags it. */
  function placeOfPlan(id: NodeId): Position | undefined {
    return nodeOf(id)?.position ?? undefined;
  }

  function only<Id extends string>(ids: ReadonlySet<Id>): Id | undefined {
    return ids.size === 1 ? [...ids][0] : undefined;
  }

  function say(announcement: string) {
    page.setState({ announcement });
  }

  /** Beside the selected node, or in the middle of what is in sight. */
  function nearby(): Position {
    const selected = [...selection()].at(-1);
    const place = selected && placeOf(selected);
    if (place) return { x: place.x + cardSize.width + besides, y: place.y };
    const middle = page.getState().canvas?.middle() ?? { x: 0, y: plan().nodes.length * 88 };
    return { x: middle.x - cardSize.width / 2, y: middle.y - cardSize.height / 2 };
  }

  function add(kind: KindName, { at, link, edge }: Partial<PickPlace> = {}) {
    const node = edits.blankNode(plan(), kind, freePlace(at ?? nearby(), plan().nodes));
    editor.getState().edit(`Add ${node.title.toLowerCase()}`, (before) => {
      if (edge && kind !== "note") return edits.insertInEdge(before, edge, node);
      const after = edits.addNode(before, node);
      if (!link || kind === "note") return after;
      if (link.way && link.as === "parent")
        return edits.setWay(after, link.node, link.way, node.id);
      return link.as === "parent"
        ? edits.connect(after, link.node, node.id)
        : edits.connect(after, node.id, link.node);
    });
    editor.getState().select([node.id]);
    page.setState({ renaming: node.id, picker: undefined, sideOpen: true });
    say(`${node.title} added`);
  }

  function remove() {
    const { selection: nodes, selectedEdges: edges } = editor.getState();
    if (nodes.size === 0 && edges.size === 0) return;
    const what =
      nodes.size > 0 ? edits.countWords(nodes.size, "node") : edits.countWords(edges.size, "edge");
    editor
      .getState()
      .edit(`Delete ${what}`, (before) =>
        edits.removeEdges(edits.removeNodes(before, nodes), edges),
      );
    editor.getState().select([]);
    say(`${what} deleted`);
  }

  function insert(fragment: edits.Fragment, offset: Position, verb: string, keeping = false) {
    let added: NodeId[] = [];
    const what = edits.countWords(fragment.nodes.length, "node");
    editor.getState().edit(`${verb} ${what}`, (before) => {
      const { plan: after, ids } = edits.insertFragment(before, fragment, offset, keeping);
      added = ids;
      return after;
    });
    editor.getState().select(added);
    say(`${what} added`);
  }

  /** Draws an edge; with a `way`, lets that branch or jump of the parent lead to the child. */
  function connect(parent: NodeId, child: NodeId, way?: WayKind): boolean {
    const refusal = connectionRefusal(plan(), parent, child, way);
    if (refusal) {
      say(`Not connected: ${refusalWords(refusal, plan())}`);
      return false;
    }
    if (way) {
      editor.getState().edit(wayActs[way], (before) => edits.setWay(before, parent, way, child));
      say(`${titleOf(parent)} now goes to ${titleOf(child)} ${wayWords[way]}`);
      return true;
    }
    editor.getState().edit("Connect nodes", (before) => edits.connect(before, parent, child));
    say(`${titleOf(child)} now depends on ${titleOf(parent)}`);
    return true;
  }

  /** A place of the plan in pixels of the window; the middle of the window where there is no canvas. */
  function onScreen(place: Position): Position {
    const middle = { x: window.innerWidth / 2, y: window.innerHeight / 3 };
    return page.getState().canvas?.toScreen(place) ?? middle;
  }

  /** Asks which node to put into an edge; where the edge is drawn when nobody says where. */
  function insertInEdge(key: string, screen?: Position) {
    const ends = edits.endsOf(plan(), key);
    const [from, to] = [ends && placeOf(ends.parent), ends && placeOf(ends.child)];
    if (!from || !to) return;
    const at = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    page.setState({ picker: { screen: screen ?? onScreen(at), at, edge: key } });
  }

  function setSoft(keys: ReadonlySet<string>, soft: boolean) {
    const label = soft ? "Make edge soft" : "Make edge hard";
    editor.getState().edit(label, (before) => edits.setSoft(before, keys, soft));
  }

  const groups = createGroupActs(editor, page);

  return {
    ...groups,
    ...createArrangeActs(editor, page),
    ...createNoteActs(editor, page),
    add,
    remove,
    connect,

    pick: (picker: PickPlace | undefined) => page.setState({ picker }),

    insertInEdge,

    insertInSelectedEdge() {
      const key = only(editor.getState().selectedEdges);
      if (key) insertInEdge(key);
    },

    /** Puts a node that is free into an edge, where it was let go. */
    splice(key: string, id: NodeId, at: Position) {
      editor
        .getState()
        .edit("Put node into edge", (before) =>
          edits.spliceInEdge(edits.place(before, new Map([[id, at]])), key, id),
        );
      say(`${titleOf(id)} put into the edge`);
    },

    /** Deletes the selected nodes and lets what came after them wait for what came before. */
    heal() {
      const nodes = selection();
      if (nodes.size === 0) return;
      const what = edits.countWords(nodes.size, "node");
      editor.getState().edit(`Delete and reconnect ${what}`, (before) => healNodes(before, nodes));
      editor.getState().select([]);
      say(`${what} deleted, their neighbours connected`);
    },

    /** Disables or enables what is selected: a run skips what is disabled, and goes on. */
    disable(disabled: boolean) {
      const nodes = selection();
      const what = edits.countWords(nodes.size, "node");
      const label = `${disabled ? "Disable" : "Enable"} ${what}`;
      editor.getState().edit(label, (before) => edits.setDisabled(before, nodes, disabled));
      say(disabled ? `${what} disabled; a run skips them and goes on` : `${what} enabled`);
    },

    /** Asks what the selected node shall become. */
    startReplace(id = only(selection())) {
      const place = id && placeOf(id);
      if (id && place) page.setState({ picker: { screen: onScreen(place), replace: id } });
    },

    replace(id: NodeId, kind: KindName) {
      page.setState({ picker: undefined });
      editor
        .getState()
        .edit(`Replace with ${kindWords[kind]}`, (before) => replaceNode(before, id, kind));
      say(`${titleOf(id)} is now of kind ${kindWords[kind]}`);
    },

    selectKin(towards: "upstream" | "downstream") {
      const found = withKin(plan(), selection(), towards);
      const more = found.size - selection().size;
      editor.getState().select(found);
      say(`${edits.countWords(more, "node")} ${towards} selected too`);
    },

    /** The nodes that are found by what stands in the field. */
    matches: () => matchesOf(plan(), page.getState().search),

    goToMatch(step: 1 | -1) {
      const id = nextMatch(matchesOf(plan(), page.getState().search), selection(), step);
      if (!id) return;
      groups.uncover(id);
      editor.getState().select([id]);
      page.getState().canvas?.show(id);
    },

    /** Lets an edge, branch or jump mean something else. */
    changeEdgeKind(key: string, kind: edits.EdgeKind) {
      const ends = edits.endsOf(plan(), key);
      editor
        .getState()
        .edit("Change kind of edge", (before) => edits.changeEdgeKind(before, key, kind));
      // Its name says its kind: what was selected stays so under the new one.
      if (ends) editor.getState().select([], [keyOf(ends, kind)]);
    },

    setSoftSelected(soft: boolean) {
      setSoft(editor.getState().selectedEdges, soft);
    },

    setSoft,

    removeEdge: (key: string) =>
      editor.getState().edit("Delete edge", (before) => edits.removeEdges(before, new Set([key]))),

    /** Puts one end of an edge elsewhere; a refused end leaves it as it was. */
    reconnect(key: string, parent: NodeId, child: NodeId) {
      if (key === edgeKey({ parent, child })) return;
      const rest = edits.removeEdges(plan(), new Set([key]));
      if (connectionRefusal(rest, parent, child, wayOfKey(key)?.kind)) return;
      editor.getState().edit("Move edge", (before) => edits.reconnect(before, key, parent, child));
    },

    /** Moves nodes; those of `regrouped` join that group, or leave theirs, in the same step. */
    move(
      places: ReadonlyMap<NodeId, Position>,
      regrouped: ReadonlyMap<NodeId, GroupId | undefined> = new Map(),
    ) {
      const what = edits.countWords(places.size, "node");
      const to = plan().groups.find(({ id }) => [...regrouped.values()].includes(id));
      const where = to
        ? ` into ${titleWords(to.title)}`
        : regrouped.size > 0
          ? " out of group"
          : "";
      editor
        .getState()
        .edit(`Move ${what}${where}`, (before) =>
          [...regrouped].reduce(
            (after, [id, group]) => moveToGroup(after, new Set([id]), group),
            edits.place(before, places),
          ),
        );
      if (where) say(`${what} moved${where}`);
    },

    /** Leaves nodes where they are and puts copies where they were dragged to. */
    duplicateTo(places: ReadonlyMap<NodeId, Position>) {
      const [id, to] = [...places][0] ?? [];
      const from = id && placeOfPlan(id);
      if (!from || !to) return;
      const fragment = edits.fragmentOf(withPlaces(plan(), placeOf), new Set(places.keys()));
      insert(fragment, snapped({ x: to.x - from.x, y: to.y - from.y }), "Duplicate");
    },

    duplicate() {
      const fragment = edits.fragmentOf(withPlaces(plan(), placeOf), selection());
      if (fragment.nodes.length > 0) insert(fragment, copyOffset, "Duplicate");
    },

    /** The selection as text for the clipboard; nothing when nothing is selected. */
    copy(): string | undefined {
      const fragment = edits.fragmentOf(withPlaces(plan(), placeOf), selection());
      if (fragment.nodes.length === 0) return undefined;
      say(`${edits.countWords(fragment.nodes.length, "node")} copied`);
      return clipboardText(fragment);
    },

    /**
     * Whether the text claimed to hold nodes: those of a blueprint, a plan file, a flowchart. What is wrong with it is told, and then nothing is pasted. With `keeping`,
     * what led to the nodes in this plan leads to the copies too.
     */
    paste(text: string, keeping = false): boolean {
      const clip = parseClipboard(text);
      if (!clip) {
        if (!claimsPlan(text)) return false;
        void readPlanText(backend, text).then((fragment) => {
          if (fragment) insert(fragment, offsetTo(nearby(), fragment), "Paste", keeping);
        });
        return true;
      }
      if (clip.faults) {
        tellFaults(clip.faults);
        return true;
      }
      const { fragment } = clip;
      const there = fragment.nodes.some((node) => nodeOf(node.id));
      insert(fragment, there ? copyOffset : offsetTo(nearby(), fragment), "Paste", keeping);
      return true;
    },

    selectAll() {
      editor.getState().select(plan().nodes.map((node) => node.id));
    },

    startRename(id = only(selection())) {
      if (id) page.setState({ renaming: id });
    },

    /** Ends renaming; no title, or the same one, changes nothing. */
    rename(id: NodeId, title: string | undefined) {
      page.setState({ renaming: undefined });
      if (title !== undefined)
        editor.getState().edit("Rename node", (before) => edits.renameNode(before, id, title));
    },

    /** Selects the neighbour of the selected node; a child or a parent before what merely lies there. */
    walk(direction: Direction) {
      const from = [...selection()].at(-1);
      const nodes = plan().nodes;
      const first = nodes[0]?.id;
      const to = from ? stepFrom(plan(), from, direction, placeOf) : first;
      if (!to) return;
      editor.getState().select([to]);
      page.getState().canvas?.reveal(to);
    },

    /** Starts an edge at the selected node; `link` draws it to whatever is selected then. */
    startLink() {
      const parent = only(selection());
      const node = parent && nodeOf(parent);
      if (!node || node.kind.kind === "note") return;
      const way = freeBranch(node);
      page.setState({ linking: parent, linkingWay: way });
      say(
        `Connecting from ${titleOf(parent)}${way ? `, its ${way} branch` : ""}. Walk to the node that depends on it and press Enter.`,
      );
    },

    link() {
      const { linking, linkingWay } = page.getState();
      const child = only(selection());
      if (linking && child && connect(linking, child, linkingWay))
        page.setState({ linking: undefined });
    },

    /** Has the selection keep its place in every layout, or not any more. */
    keepPlace(keeps: boolean) {
      const ids = selection();
      const what = edits.countWords(ids.size, "node");
      const label = keeps ? `Keep ${what} in place` : `Let tidying move ${what}`;
      editor
        .getState()
        .edit(label, (before) => edits.keepPlace(withPlaces(before, placeOf), ids, keeps));
      say(keeps ? `${what} kept in place` : `${what} moved by tidying again`);
    },

    /** Lays out the plan, or the selection alone, beside what stays. What was moved meanwhile stays where it was put. */
    async tidy({ selected = false } = {}) {
      const before = plan();
      const only = selected ? [...selection()] : undefined;
      try {
        const placements = await backend.call("plan_arrange", {
          plan: only ? withPlaces(before, placeOf) : before,
          direction: reading,
          missingOnly: false,
          collapsed: [...page.getState().collapsed],
          ...(only && { only }),
        });
        const places = edits.placesOf(placements);
        const label = only ? `Tidy ${edits.countWords(only.length, "node")}` : "Tidy layout";
        const settle = () => {
          editor
            .getState()
            .edit(label, (now) => edits.place(now, edits.stillThere(before, now, places)));
          if (!only) page.getState().canvas?.fit();
        };
        const { canvas } = page.getState();
        if (canvas) canvas.glide(places, settle);
        else settle();
      } catch (cause) {
        showToast({
          kind: "error",
          title: "The plan could not be laid out",
          detail: ApiError.from(cause).message,
        });
      }
    },
  };
}

function keyOf(ends: { parent: NodeId; child: NodeId }, kind: edits.EdgeKind): string {
  return kind === "hard" || kind === "soft" ? edgeKey(ends) : wayKey({ parent: ends.parent, kind });
}

const mostFaults = 4;

function tellFaults(faults: readonly string[]): void {
  const more = faults.length - mostFaults;
  const lines = faults.slice(0, mostFaults).join("; ");
  showToast({
    kind: "error",
    title: "Nothing was pasted",
    detail: `The text says that it holds nodes, but ${lines}${more > 0 ? `; and ${more} more` : ""}.`,
  });
}

/** The branch of a condition that leads nowhere yet, the true one first. */
function freeBranch(node: Node): WayKind | undefined {
  if (node.kind.kind !== "condition") return undefined;
  return (["true", "false"] as const).find((way) => targetOf(node, way) === null);
}

const wayActs: Record<WayKind, string> = {
  true: "Draw true branch",
  false: "Draw false branch",
  success: "Change where success leads",
  failure: "Change where failure leads",
};

const wayWords: Record<WayKind, string> = {
  true: "when its condition holds",
  false: "when its condition does not hold",
  success: "when it is done",
  failure: "when it has failed",
};

export type EditActs = ReturnType<typeof createEditActs>;

/** The plan with the places that the canvas shows, where the plan has none of its own. */
function withPlaces(plan: Plan, placeOf: (id: NodeId) => Position | undefined): Plan {
  const places = new Map<NodeId, Position>();
  for (const node of plan.nodes) {
    const place = node.position ? undefined : placeOf(node.id);
    if (place) places.set(node.id, place);
  }
  return places.size === 0 ? plan : edits.place(plan, places);
}

function offsetTo(to: Position, { nodes }: edits.Fragment): Position {
  const places = nodes.flatMap((node) => node.position ?? []);
  if (places.length === 0) return { x: 0, y: 0 };
  return {
    x: to.x - Math.min(...places.map((place) => place.x)),
    y: to.y - Math.min(...places.map((place) => place.y)),
  };
}

function stepFrom(
  plan: Plan,
  from: NodeId,
  direction: Direction,
  placeOf: (id: NodeId) => Position | undefined,
): NodeId | undefined {
  const start = placeOf(from);
  if (!start) return undefined;
  const places = new Map<NodeId, Position>();
  for (const node of plan.nodes) {
    const place = placeOf(node.id);
    if (place) places.set(node.id, place);
  }
  const { childrenOf, parentsOf } = adjacencyOf(plan);
  const favoured = { right: childrenOf.get(from), left: parentsOf.get(from), up: [], down: [] };
  return neighbour(start, direction, places, favoured[direction] ?? []);
}
