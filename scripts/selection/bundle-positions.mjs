import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../paths.mjs';

/** Length of what `load-program.ts` of `server/src/code-cache/` puts in front of a program. */
const lengthOfHead = '(function (exports, require, module, __filename, __dirname) {'.length;

/**
 * Reads the source map beside a bundle. A program without one, such as the worker of elkjs, is that of a package.
 * @param {string} path of the bundle
 * @returns {{ sources: readonly string[], sourceOf(offset: number): { source: string, line: number } | undefined }}
 *   `sources` are those of the project, from its folder; `offset` is a position in the text that V8 runs, `line` counts from 1.
 */
export function bundlePositions(path) {
  if (!existsSync(`${path}.map`)) return { sources: [], sourceOf: () => undefined };
  const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
  const sources = map.sources.map((source) => ownSource(join(dirname(path), source)));
  const lines = decode(map.mappings);
  const text = readFileSync(path, 'utf8');
  const starts = lineStarts(text);
  const head = /\.program\.c?js$/.test(path) ? lengthOfHead : 0;
  return {
    sources: sources.filter((source) => source !== undefined),
    sourceOf(offset) {
      const at = offset - head;
      if (modulesOnFirstUse.test(text.slice(at, at + 300))) return undefined;
      const line = lastAtMost(starts, at, (start) => start);
      const segments = lines[line] ?? [];
      const segment = segments[lastAtMost(segments, at - (starts[line] ?? 0), ([column]) => column)];
      const source = segment && sources[segment[1]];
      return source === undefined ? undefined : { source, line: segment[2] + 1 };
    },
  };
}

/** Functions into which esbuild puts the code of a module that is imported on first use: `"model/step.ts"() {`. */
const modulesOnFirstUse = /^("[^"]*")?\(\)\s*(=>)?\s*\{\s*"use strict"/;

/** Undefined for those of packages, and for data. */
function ownSource(path) {
  const own = relative(root, path).replaceAll('\\', '/');
  return own.startsWith('..') || own.includes('node_modules/') || !own.endsWith('.ts') ? undefined : own;
}

function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the last element whose value is at most this one; -1 if there is none. */
function lastAtMost(list, value, valueOf) {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (valueOf(list[middle]) <= value) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

const digits = new Map([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((c, i) => [c, i]));

/** The mappings of a source map by line: column, index of the source, line in it. */
function decode(mappings) {
  let [source, sourceLine] = [0, 0];
  return mappings.split(';').map((line) => {
    let column = 0;
    return line.split(',').flatMap((text) => {
      if (text === '') return [];
      const [columns, sources = 0, sourceLines = 0] = numbers(text);
      column += columns;
      source += sources;
      sourceLine += sourceLines;
      return [[column, source, sourceLine]];
    });
  });
}

function numbers(text) {
  const result = [];
  let [value, shift] = [0, 0];
  for (const digit of text) {
    const bits = digits.get(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    result.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return result;
}
