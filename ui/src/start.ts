/**
 * Starts the program when the window has painted its frame, which `index.html` contains. Reading the
 * program takes longer than one frame, and nothing is painted meanwhile.
 */
import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "./design/theme.css";
import { waitForFirstFrame } from "./shell/waitForFirstFrame";

await waitForFirstFrame();
await import("./main");
