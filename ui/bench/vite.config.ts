import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds the page to which the canvas is compared; it is not part of the interface. */
export default defineConfig({ root: import.meta.dirname, base: "./", plugins: [react()] });
