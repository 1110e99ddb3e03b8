import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from '../paths.mjs';

const statements = /^[ \t]*(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s*)?['"](\.[^'"]+)['"]/gm;
const onFirstUse = /\bimport\(\s*['"](\.[^'"]+)['"]\s*[,)]/g;

/**
 * The files of the project that each module imports when it runs; imports of types only need no test.
 * @param {readonly string[]} files paths from the project's folder, of which modules are read
 * @param {(file: string) => string} [read]
 * @returns {Map<string, readonly string[]>}
 */
export function importGraph(files, read = (file) => readFileSync(join(root, file), 'utf8')) {
  return new Map(files.filter((file) => /\.[cm]?[jt]s$/.test(file)).map((file) => [file, importsOf(file, read(file))]));
}

function importsOf(file, text) {
  const paths = [statements, onFirstUse].flatMap((pattern) => [...text.matchAll(pattern)].map(([, path]) => path));
  return [...new Set(paths.map((path) => posix.join(dirname(file), path)))];
}

/**
 * The other direction: who imports a file.
 * @param {Map<string, readonly string[]>} graph
 * @returns {Map<string, readonly string[]>}
 */
export function importersOf(graph) {
  const importers = new Map();
  for (const [file, imports] of graph) {
    for (const each of imports) importers.set(each, [...(importers.get(each) ?? []), file]);
  }
  return importers;
}

/**
 * The file and all modules that it imports, also through others; with `importersOf`, all that depend on it.
 * @param {string} file
 * @param {Map<string, readonly string[]>} graph
 * @returns {ReadonlySet<string>}
 */
export function closureOf(file, graph) {
  const closure = new Set([file]);
  for (const each of closure) for (const next of graph.get(each) ?? []) closure.add(next);
  return closure;
}
