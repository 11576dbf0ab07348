import { useEffect } from "react";
import { type Blueprint, useBlueprint } from "./blueprintContext";
import { bindingOf, type KeyAct, reaches } from "./keymap";
import { subPlanOf } from "./kindSummary";
import { phaseOf } from "./runFacts";

/** Lets keys act on the page. */
export function useKeys(): void {
  const blueprint = useBlueprint();

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const binding = event.defaultPrevented ? undefined : bindingOf(event);
      if (!binding || !reaches(event.target, binding.scope)) return;
      if (perform(binding.act, blueprint)) event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [blueprint]);
}

/** Does what a key asks for. Answers whether there was anything to do, so that other keys keep their own meaning. */
function perform(act: KeyAct, blueprint: Blueprint): boolean {
  const { editor, page, edit, runs } = blueprint;
  const { canvas, linking } = page.getState();
  switch (act) {
    case "add":
      page.setState({ view: "graph", paletteOpen: true });
      // One that opens takes the focus by itself.
      document.querySelector<HTMLElement>("[data-palette] input")?.focus();
      return true;
    case "undo":
      editor.getState().undo();
      return true;
    case "redo":
      editor.getState().redo();
      return true;
    case "duplicate":
      edit.duplicate();
      return true;
    case "delete":
      edit.remove();
      return true;
    case "select_all":
      edit.selectAll();
      return true;
    case "clear":
      if (linking === undefined) editor.getState().select([]);
      page.setState({ linking: undefined });
      return true;
    case "rename":
      edit.startRename();
      return true;
    case "inspect":
      if (linking === undefined) page.setState({ sideOpen: true });
      else edit.link();
      return true;
    case "open": {
      const { selection, plan } = editor.getState();
      const [only, ...others] = plan.nodes.filter((node) => selection.has(node.id));
      if (!only || others.length > 0 || subPlanOf(only) === undefined) return false;
      void blueprint.open(only.id);
      return true;
    }
    case "connect":
      edit.startLink();
      return true;
    case "tidy":
      void edit.tidy();
      return true;
    case "fit":
      canvas?.fit();
      return canvas !== undefined;
    case "zoom_selection":
      canvas?.fit([...editor.getState().selection]);
      return canvas !== undefined;
    case "zoom_actual":
      canvas?.zoomTo(1);
      return canvas !== undefined;
    case "zoom_in":
      canvas?.zoomBy(1.25);
      return canvas !== undefined;
    case "zoom_out":
      canvas?.zoomBy(0.8);
      return canvas !== undefined;
    case "left":
    case "right":
    case "up":
    case "down":
      edit.walk(act);
      return true;
    case "find":
      document.querySelector<HTMLElement>("[data-find]")?.focus();
      return true;
    case "run":
      void runs.start({ want: "all" });
      return true;
    case "run_selected":
      for (const node of editor.getState().selection) void runs.node("run", node);
      return true;
    case "stop":
      page.setState({ stopping: phaseOf(editor.getState().run) !== "idle" });
      return true;
    case "help":
      page.setState({ keysOpen: true });
      return true;
  }
}
