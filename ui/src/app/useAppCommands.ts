import { useMemo, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import { useCommands } from "@/commands/commandRegistry";
import { useAddPaletteSources } from "@/commands/paletteSources";
import { useThemeSetting } from "@/shell/useThemeSetting";
import { appActions } from "./commands";
import { appPaletteSources } from "./paletteSources";

/** Registers the commands and the palette sources that are available on every page. */
export function useAppCommands(): void {
  const backend = useBackend();
  const navigate = useNavigate();
  const { choose } = useThemeSetting();
  const go = useMemo(() => (address: string) => void navigate(address), [navigate]);

  const { pathname } = useLocation();
  const shown = useRef(pathname);
  shown.current = pathname;

  useCommands(
    useMemo(
      () => appActions({ backend, go, place: () => shown.current, chooseTheme: choose }),
      [backend, go, choose],
    ),
  );
  useAddPaletteSources(useMemo(() => appPaletteSources({ backend, go }), [backend, go]));
}
