import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { cacheFolder, root } from '../paths.mjs';
import { bundlePositions } from './bundle-positions.mjs';
import { functionLines } from './function-lines.mjs';
import { closureOf } from './import-graph.mjs';
import recorder from './record-calls.cjs';

/**
 * Folder of what runs recorded: a folder for each test file (`engine/plan.test.ts`), whose files are written by
 * `record-calls.cjs`.
 */
export const callsFolder = join(cacheFolder, 'calls');

/** Source maps of the packaged bundles, which have none beside them: `scripts/package.mjs` leaves them here. */
export const packagedBundles = join(cacheFolder, 'package/bundles');

/**
 * The calls of a test file, or of tests that share a process: by source file of the project, the lines in which called
 * functions start. A file that a page loaded whole has no lines.
 * @typedef {Map<string, ReadonlySet<number>>} Calls
 */

/**
 * What each recorded test file called, by its path, such as `test/engine/plan.test.ts`.
 * @param {Map<string, readonly string[]>} imports of all modules: test files that share a process share the modules that
 *   the first of them loaded, and so what these called when they were loaded
 * @returns {Map<string, Calls>}
 */
export function readCalls(imports, folder = callsFolder) {
  const positionsIn = once(bundlePositions);
  const linesIn = once((path) => functionLines(existsSync(path) ? readFileSync(path, 'utf8') : ''));
  const whenLoaded = new Map();
  const recorded = recordedFiles(folder).map((file) => {
    const { calls, loading } = callsOf(join(folder, file), { positionsIn, linesIn });
    addCalls(whenLoaded, loading);
    return [`test/${file}`, calls];
  });
  for (const [test, calls] of recorded) {
    const loaded = closureOf(test, imports);
    addCalls(calls, new Map([...whenLoaded].filter(([source]) => loaded.has(source))));
    calls.delete(test);
  }
  return new Map(recorded);
}

/** Reads each path once. */
function once(read) {
  const known = new Map();
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path);
  };
}

/** Folders that contain files, from the given one. */
function recordedFiles(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const folders = files.map(({ parentPath }) => relative(folder, parentPath).replaceAll('\\', '/'));
  return [...new Set(folders)].sort();
}

function callsOf(folder, readers) {
  const [calls, loading] = [new Map(), new Map()];
  for (const name of readdirSync(folder)) {
    const into = name.endsWith(recorder.suffixWhileLoading) ? loading : calls;
    // A killed process may leave half a line.
    for (const text of readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)) {
      addCalls(into, sourcesOf(JSON.parse(text), readers));
    }
  }
  return { calls, loading };
}

function sourcesOf({ path, bundle, names, starts }, { positionsIn, linesIn }) {
  if (names) {
    const lines = ['', ...names].flatMap((name) => linesIn(path).get(name) ?? []);
    return new Map([[relative(root, path).replaceAll('\\', '/'), lines]]);
  }
  if (bundle) return new Map(positionsIn(join(root, bundle)).sources.map((source) => [source, []]));
  const positions = positionsIn(builtBundle(path));
  const called = new Map();
  for (const start of starts) {
    const { source, line } = positions.sourceOf(start) ?? {};
    if (source !== undefined) called.set(source, [...(called.get(source) ?? []), line]);
  }
  return called;
}

/** Adds lines by source to others. */
function addCalls(calls, more) {
  for (const [source, lines] of more) calls.set(source, new Set([...(calls.get(source) ?? []), ...lines]));
}

/** The bundle with a source map: that of the installed extension has none. */
function builtBundle(path) {
  if (existsSync(`${path}.map`)) return path;
  const [, program] = /[\\/](server|client)[\\/]dist[\\/]/.exec(path);
  return join(packagedBundles, program, 'dist', basename(path));
}
