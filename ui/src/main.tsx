import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { openAppState } from "@/shell/appState";
import { openDrafts } from "@/shell/drafts";
import { followTextSize } from "@/shell/textSize";
import { followTheme } from "@/shell/theme";
import { connectBackend } from "./api/connect";
import { App } from "./app/App";

followTheme();
const backend = await connectBackend();
await openAppState(backend);
openDrafts(backend.dataId?.());
followTextSize();
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <App backend={backend} />
  </StrictMode>,
);
