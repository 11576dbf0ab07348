import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/**
 * Preloads the program, which is imported only after the first frame: its files are fetched while
 * that frame is painted.
 */
function preloadProgram(): Plugin {
  return {
    name: "preload-program",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const program = chunks.find((chunk) => chunk.facadeModuleId?.endsWith("/src/main.tsx"));
        if (!program) throw new Error("the program has no file of its own");
        const files = new Set([program.fileName]);
        for (const file of files) {
          const chunk = bundle[file];
          if (chunk?.type === "chunk") for (const imported of chunk.imports) files.add(imported);
        }
        const missing = [...files].filter((file) => !html.includes(file));
        return missing.map((file) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}` },
          injectTo: "head",
        }));
      },
    },
  };
}

const common = {
  css: false,
  // High enough for a busy machine; hanging tests are still stopped.
  testTimeout: 30_000,
};

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadProgram()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    // The oldest engines that render light-dark() without a rewrite: WebKitGTK 2.44 and Chromium 123.
    target: ["chrome123", "safari17.5"],
    // An inlined font would be a `data:` URL, which `font-src 'self'` blocks.
    assetsInlineLimit: 0,
    // The bundled packages, for the third-party notices. `cargo xtask` removes the file from the
    // built interface.
    license: { fileName: "bundled-licenses.json" },
  },
  server: {
    port: 5173,
    strictPort: true,
    // The document of the REST API is beside the code that it describes.
    fs: { allow: [".", "../src-tauri/rest"] },
  },
  test: {
    // One worker per core: by default Vitest leaves one core free, which on two cores is half the
    // machine.
    maxWorkers: "100%",
    // Every file still has its own globals and modules, without the start of a thread and of jsdom for each.
    pool: "vmThreads",
    projects: [
      { extends: true, test: { ...common, name: "plain", include: ["src/**/*.test.ts"] } },
      // A DOM costs half a second per file, so only tests that render have one.
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
