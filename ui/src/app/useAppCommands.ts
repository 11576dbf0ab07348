import { useMemo, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import { useOffer } from "@/commands/offers";
import { useMoreSources } from "@/commands/sources";
import { useThemeSetting } from "@/shell/useThemeSetting";
import { appActs } from "./commands";
import { appSources } from "./paletteSources";

/** Offers what can be done on every page, and lets the palette find what every page leads to. */
export function useAppCommands(): void {
  const backend = useBackend();
  const navigate = useNavigate();
  const { choose } = useThemeSetting();
  const go = useMemo(() => (address: string) => void navigate(address), [navigate]);

  const { pathname } = useLocation();
  const shown = useRef(pathname);
  shown.current = pathname;

  useOffer(
    useMemo(
      () => appActs({ backend, go, place: () => shown.current, chooseTheme: choose }),
      [backend, go, choose],
    ),
  );
  useMoreSources(useMemo(() => appSources({ backend, go }), [backend, go]));
}
