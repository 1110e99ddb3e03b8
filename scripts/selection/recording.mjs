import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, root } from '../paths.mjs';
import { bundlePositions } from './bundle-positions.mjs';
import { readCalledSources, writeCalledSources } from './called-sources.mjs';
import { importGraph } from './import-graph.mjs';
import { callsFolder, readCalls } from './read-calls.mjs';
import recorder from './record-calls.cjs';

/** Set in the processes of tests while calls are recorded: the folder for them. */
const variable = 'ENTITY_GRAPH_RECORD';
const folder = process.env[variable];
// Tests start test runs, too.
delete process.env[variable];

/** The lines in which called functions start, for `npm run mutants`; too much to be committed. */
export const calledLinesFile = join(cacheFolder, 'called-lines.json');

/** Has the processes of tests that are started from now on record what they call. */
export function startRecording() {
  rmSync(callsFolder, { recursive: true, force: true });
  process.env[variable] = callsFolder;
}

/**
 * Records what this process calls, and those that it starts, for a test file such as `engine/plan.test.ts`, or for a
 * folder of test files that share processes, such as `host`. Does nothing unless `startRecording` was called in the
 * process that started this one.
 * @returns {{ endLoading(): void, end(): void }} `endLoading` is called when the modules of the file are loaded
 */
export function recordCallsOf(name) {
  if (folder === undefined) return { endLoading: () => undefined, end: () => undefined };
  recorder.recordInto(join(folder, name), { whileLoading: true });
  // For tests that load a bundle into a page.
  globalThis.recordBundle = recorder.recordBundle;
  return { endLoading: recorder.endLoading, end: () => recorder.recordInto(undefined) };
}

/**
 * Adds what was recorded to the committed record, after all tests have passed, and takes deleted test files out. What a
 * test file called before and not this time stays, as long as the source file exists: some calls depend on the time.
 * @param {readonly string[]} files of the project
 */
export function endRecording(files) {
  const calls = readCalls(importGraph(files));
  for (const [test, called] of calls) {
    if (/^test\/(e2e|host)\b/.test(test)) addPages(called);
  }
  const existing = new Set(files);
  const isThere = (test) => existing.has(test) || files.some((file) => file.startsWith(`${test}/`));
  const record = new Map([...readCalledSources()].filter(([test]) => isThere(test)));
  for (const [test, called] of calls) {
    const sources = [...(record.get(test) ?? []), ...called.keys()];
    record.set(test, new Set(sources.filter((source) => existing.has(source))));
  }
  writeCalledSources(record);
  const lines = existsSync(calledLinesFile) ? JSON.parse(readFileSync(calledLinesFile, 'utf8')) : {};
  for (const [test, called] of calls) {
    lines[test] = Object.fromEntries([...called].map(([source, of]) => [source, [...of].sort((a, b) => a - b)]));
  }
  writeFileSync(calledLinesFile, JSON.stringify(lines));
}

/** VS Code loads pages by itself. Where its processes told nothing, they may have called everything. */
function addPages(called) {
  const pages = ['canvas', 'entities', 'event-graph', 'explorer', 'results'].map((name) => `webview/dist/${name}.js`);
  const isOfServer = (source) => source.startsWith('server/src/');
  const isOfClient = (source) => source.startsWith('client/src/');
  const untold = [
    ...([...called.keys()].some(isOfClient) ? [] : ['client/dist/extension.program.cjs']),
    ...([...called.keys()].some(isOfServer)
      ? []
      : ['main', 'engine', 'graph', 'duckdb'].map((name) => `server/dist/${name}.program.js`)),
  ];
  for (const bundle of [...pages, ...untold]) {
    for (const source of bundlePositions(join(root, bundle)).sources)
      if (!called.has(source)) called.set(source, new Set());
  }
}
