import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "./design/theme.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { connect } from "./api/connect";
import { App } from "./app/App";
import { openAppState } from "./app/appState";
import { followTextSize } from "./app/textSize";
import { followTheme } from "./app/theme";

followTheme();
const backend = await connect();
await openAppState(backend);
followTextSize();
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <App backend={backend} />
  </StrictMode>,
);
