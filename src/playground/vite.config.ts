import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** Builds the playground into `dist/playground`. Addresses are relative, because a proxy may serve it below a path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  // The page reads as a page of any other project: it imports the package, which is in this repository.
  resolve: { tsconfigPaths: true },
  build: {
    outDir: resolve(import.meta.dirname, '../../dist/playground'),
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'playground',
    modulePreload: false,
    // A page that is offline, or older than its server, still opens every view.
    rolldownOptions: { output: { codeSplitting: false } },
  },
  logLevel: 'warn',
});
