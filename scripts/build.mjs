// Bundles the programs that ship: `node scripts/build.mjs [--production] [--watch]`.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainModule, root } from './paths.mjs';
import { schemaValidators } from './schema-validators.mjs';
import { ensureDependencies } from './dependencies.mjs';

/** A large program, and the small one that starts it with cached code. */
function launched(entry, name) {
  const platform = name === 'cli' ? 'commandLine' : 'server';
  return [
    { entry, output: `server/dist/${name}.program.js`, platform: 'program' },
    { entry: 'server/src/code-cache/launch.ts', output: `server/dist/${name}.js`, platform },
  ];
}

/** Every bundle: its entry, where it goes and the options of its platform. */
const bundles = [
  { entry: 'server/src/code-cache/launch-extension.ts', output: 'client/dist/extension.cjs', platform: 'server' },
  { entry: 'client/src/extension.ts', output: 'client/dist/extension.program.cjs', platform: 'extension' },
  { entry: 'client/src/client-library.ts', output: 'client/dist/client-library.cjs', platform: 'library' },
  ...launched('server/src/lsp/main.ts', 'main'),
  ...launched('server/src/engine/engine-process.ts', 'engine'),
  ...launched('server/src/engine/duckdb-process.ts', 'duckdb'),
  ...launched('server/src/engine/graph-process.ts', 'graph'),
  ...launched('server/src/cli/main.ts', 'cli'),
  // Started by cli.js.
  { entry: 'server/src/mcp/main.ts', output: 'server/dist/mcp.program.js', platform: 'program' },
  { entry: 'server/src/store/sqlite-reader/process.ts', output: 'server/dist/sqlite.js', platform: 'server' },
  {
    entry: 'server/src/connectors/postgresql/given/pglite-process.ts',
    output: 'server/dist/pglite.js',
    platform: 'pglite',
  },
  { entry: 'server/src/engine/elk-thread.ts', output: 'server/dist/elk-thread.js', platform: 'server' },
  { entry: 'webview/src/canvas/draw-canvas-file.ts', output: 'server/dist/draw-canvas.js', platform: 'server' },
  { entry: 'webview/src/api-explorer/main.ts', output: 'webview/dist/explorer.js', platform: 'browser' },
  { entry: 'webview/src/canvas/main.ts', output: 'webview/dist/canvas.js', platform: 'browser' },
  { entry: 'webview/src/event-graph/main.ts', output: 'webview/dist/event-graph.js', platform: 'browser' },
  { entry: 'webview/src/entities-table/main.ts', output: 'webview/dist/entities.js', platform: 'browser' },
  { entry: 'webview/src/results-grid/main.ts', output: 'webview/dist/results.js', platform: 'browser' },
];

const node = { platform: 'node', format: 'cjs', target: 'node20' };
const server = {
  ...node,
  external: ['@duckdb/node-bindings', '@photostructure/sqlite', 'pg-native'],
  // Bundles have a file name of their own instead (\`__dirname\`).
  define: { 'import.meta.url': '""' },
};
/** PGlite makes a `require` of its own from the address of its module. */
const pglite = {
  ...node,
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'bundleUrl' },
};
/**
 * Escapes the few characters that esbuild leaves in templates, regular expressions and comments: V8 keeps the whole text
 * of a program in memory, with two bytes for each character when one of them is not in Latin-1.
 */
const asciiOnly = {
  name: 'ascii-only',
  setup({ onEnd, initialOptions: { outfile, absWorkingDir } }) {
    onEnd(({ errors }) => {
      if (errors.length > 0) return;
      const file = join(absWorkingDir, outfile);
      const text = readFileSync(file, 'utf8');
      const escaped = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      if (escaped !== text) writeFileSync(file, escaped);
    });
  },
};
/** The extension loads the bundle of the language client when it needs it (client/src/client-library.ts). */
const clientLibraryApart = {
  name: 'client-library-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/client-library\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './client-library.cjs', external: true },
    );
  },
};
const library = { ...node, external: ['vscode'] };
const platforms = {
  pglite,
  library,
  // VS Code gives extensions their `vscode` where they `require` it.
  extension: { ...library, supported: { 'dynamic-import': false }, plugins: [clientLibraryApart] },
  server,
  // Cached code has no `import()` (server/src/code-cache/load-program.ts).
  program: { ...server, supported: { 'dynamic-import': false }, plugins: [asciiOnly] },
  commandLine: { ...server, banner: { js: '#!/usr/bin/env node' } },
  browser: { platform: 'browser', format: 'iife', target: 'es2022' },
};

/**
 * Builds all bundles and copies the files that they load. Rejects, after every bundle was tried, when one failed;
 * its errors are printed then. With `watch` it resolves after the first build and keeps building.
 * @param {{ production?: boolean, watch?: boolean }} [options]
 * @returns {Promise<readonly string[]>} The folders of the packages that are in a bundle, such as `node_modules/yaml`.
 */
export async function build({ production = false, watch = false } = {}) {
  const { writeSchemas } = await import('./schemas.mjs');
  await writeSchemas();
  const esbuild = await import('esbuild');
  const results = await Promise.allSettled(bundles.map((bundle) => bundleOne(esbuild, bundle, { production, watch })));
  copyAssets();
  const failed = bundles.filter((_, index) => results[index].status === 'rejected');
  if (failed.length > 0) {
    throw new Error(`The build failed for ${failed.map(({ entry }) => entry).join(', ')}: see the errors above.`);
  }
  const inputs = results.flatMap(({ value }) => Object.keys(value?.metafile?.inputs ?? {}));
  const folders = inputs.map((input) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

async function bundleOne(esbuild, { entry, output, platform }, { production, watch }) {
  if (!existsSync(join(root, entry))) {
    console.warn(`build: ${entry} does not exist yet; skipped.`);
    return;
  }
  const options = {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    minify: production,
    sourcemap: 'linked',
    metafile: true,
    logLevel: 'warning',
    // Licence comments go into one file when packaging, not into every bundle.
    legalComments: 'none',
    ...platforms[platform],
    plugins: [schemaValidators, ...(platforms[platform].plugins ?? [])],
    define: {
      ...platforms[platform].define,
      'process.env.NODE_ENV': production ? '"production"' : '"development"',
    },
  };
  if (!watch) return esbuild.build(options);
  const context = await esbuild.context({ ...options, logLevel: 'info' });
  await context.watch();
}

function copyAssets() {
  mkdirSync(join(root, 'server/dist'), { recursive: true });
  // The root package is ESM; the server's bundles are CommonJS, which DuckDB's native binding loads fastest.
  writeFileSync(join(root, 'server/dist/package.json'), '{ "type": "commonjs" }\n');
  copy('libpg-query/wasm/libpg-query.wasm', 'server/dist/libpg-query.wasm');
  copy('node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm', 'server/dist/node-sqlite3-wasm.wasm');
  for (const file of ['pglite.wasm', 'initdb.wasm', 'pglite.data']) {
    copy(`@electric-sql/pglite/dist/${file}`, `server/dist/${file}`);
  }
  copy('elkjs/lib/elk-worker.min.js', 'webview/dist/elk-worker.min.js');
  copy('elkjs/lib/elk-worker.min.js', 'server/dist/elk-worker.min.js');
  copy('@vscode/codicons/dist/codicon.css', 'webview/dist/codicon.css');
  copy('@vscode/codicons/dist/codicon.ttf', 'webview/dist/codicon.ttf');
  for (const folder of ['webview', 'server']) {
    writeFileSync(join(root, folder, 'dist/elk-worker.LICENSE.txt'), elkNotice());
  }
}

function copy(fromModule, to) {
  mkdirSync(join(root, to, '..'), { recursive: true });
  cpSync(join(root, 'node_modules', fromModule), join(root, to));
}

function elkNotice() {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/elkjs/package.json'), 'utf8'));
  const licence = readFileSync(join(root, 'node_modules/elkjs/LICENSE.md'), 'utf8');
  return `elk-worker.min.js is the unchanged file lib/elk-worker.min.js of elkjs ${version}.
Source code: https://github.com/kieler/elkjs (and https://github.com/eclipse-elk/elk).
It is used under the Eclipse Public License 2.0:

${licence}`;
}

if (isMainModule(import.meta.url)) {
  const watch = process.argv.includes('--watch');
  try {
    await ensureDependencies();
    await build({ production: process.argv.includes('--production'), watch });
    console.log(watch ? 'build: done, watching for changes.' : 'build: done.');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
