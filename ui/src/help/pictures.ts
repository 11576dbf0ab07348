import { useSyncExternalStore } from "react";
import { useTheme } from "@/shell/theme";

const addresses = import.meta.glob<string>("./pictures/*.webp", {
  query: "?url",
  import: "default",
  eager: true,
});

/**
 * Returns the address of a picture. Pages name the light variant; in the dark theme it returns the
 * dark one.
 */
export function usePicture(source: string): string | undefined {
  const dark = useDark();
  const light = source.replace("../pictures/", "./pictures/");
  return addresses[dark ? light.replace("-light.", "-dark.") : light];
}

function useDark(): boolean {
  const choice = useTheme((state) => state.choice);
  const system = useSyncExternalStore(
    (changed) => {
      const media = prefersDark();
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => prefersDark().matches,
  );
  return choice === "dark" || (choice !== "light" && system);
}

function prefersDark(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}
