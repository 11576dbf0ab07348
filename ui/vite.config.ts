import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const common = {
  css: false,
  // The machine may be busy with other things; what hangs is ended all the same.
  testTimeout: 30_000,
};

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    // The oldest engines that render light-dark() without a rewrite: WebKitGTK 2.44 and Chromium 123.
    target: ["chrome123", "safari17.5"],
    // An inlined font would be a data: address, which `font-src 'self'` refuses.
    assetsInlineLimit: 0,
    // What is bundled, for the third-party notices. `cargo xtask` takes it out of the built interface.
    license: { fileName: "bundled-licenses.json" },
  },
  server: { port: 5173, strictPort: true },
  test: {
    // One worker for each core: left to itself, Vitest keeps one core free, which on two cores is half the machine.
    maxWorkers: "100%",
    projects: [
      { extends: true, test: { ...common, name: "plain", include: ["src/**/*.test.ts"] } },
      // A document costs half a second for each file, so only the tests of what is drawn have one.
      {
        extends: true,
        test: {
          ...common,
          name: "drawn",
          include: ["src/**/*.test.tsx"],
          environment: "jsdom",
          setupFiles: ["./src/testSetup.ts"],
        },
      },
    ],
  },
});
