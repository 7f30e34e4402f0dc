import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Built once and served by the server as plain files; `vite dev` is for work on the pages alone, with a server beside it.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  worker: { format: "es" },
  build: {
    outDir: "../dist/dashboard",
    emptyOutDir: true,
    target: "es2023",
    // The policy for pages allows no inline scripts, and so none of Vite's.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:7470", ws: true } } },
});
