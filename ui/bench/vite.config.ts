import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds the page that the canvas is measured beside; it is no part of the interface. */
export default defineConfig({ root: import.meta.dirname, base: "./", plugins: [react()] });
