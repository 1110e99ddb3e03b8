import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

const [lastWholeRun, chosenCases] = ['test/trino/last-whole-run.txt', 'test/trino/chosen-cases.txt'];

/** What builds and reads graphs in Trino, and the tests of it. */
const decisive = [
  'server/src/connectors/trino',
  'server/src/dialects/trino',
  'server/src/dialects/trino.ts',
  'server/src/query',
  'server/src/import/build',
  ':(glob)test/trino/*.test.ts',
];

/**
 * The cases of the part `trino` that run: undefined for all, when code that decides about them has changed since the last
 * run of all, or when that is unknown; else titles by test file. `reason` is for the user.
 * @returns {{ cases: Map<string, readonly string[]> | undefined, reason: string }}
 */
export function trinoCases(folder = root) {
  const read = (file) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '');
  const commit = read(lastWholeRun).trim();
  const changed = changedSince(commit, folder);
  if (changed === undefined)
    return { cases: undefined, reason: `all cases, as ${lastWholeRun} names no commit before this one` };
  const [first] = changed;
  if (first !== undefined)
    return { cases: undefined, reason: `all cases, as ${first} has changed since they ran last` };
  const cases = parseCases(read(chosenCases));
  const count = [...cases.values()].flat().length;
  return {
    cases,
    reason: `${count} chosen cases, as nothing that they depend on has changed since ${commit.slice(0, 10)}`,
  };
}

/** Notes that all cases passed, with the sources of the newest commit. */
export function noteWholeRun(folder = root) {
  writeFileSync(join(folder, lastWholeRun), git(folder, 'rev-parse', 'HEAD'));
}

/** The decisive files that differ from a commit; undefined if it is none of those that led here. */
function changedSince(commit, folder) {
  if (!/^[0-9a-f]{40}$/.test(commit)) return undefined;
  try {
    git(folder, 'merge-base', '--is-ancestor', commit, 'HEAD');
    const changed = git(folder, 'diff', '--name-only', commit, '--', ...decisive);
    const untracked = git(folder, 'ls-files', '--others', '--exclude-standard', '--', ...decisive);
    return `${changed}${untracked}`.split('\n').filter((line) => line !== '');
  } catch {
    return undefined;
  }
}

/**
 * @param {string} text lines `file: title`; those that begin with `#` are comments
 * @returns {Map<string, readonly string[]>} titles by test file
 */
export function parseCases(text) {
  const cases = new Map();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, title] = /^([^:]+): (.+)$/.exec(line) ?? [];
    if (title === undefined) throw new Error(`${chosenCases} has a line without file and title: ${line}`);
    const file = `test/trino/${name}`;
    cases.set(file, [...(cases.get(file) ?? []), title]);
  }
  return cases;
}

/**
 * Has mocha run only tests with these titles. Rejects a title that no loaded test has.
 * @param {import('mocha')} mocha
 * @param {readonly string[]} titles
 */
export function runOnly(mocha, titles) {
  const all = new Set();
  mocha.suite.eachTest((test) => all.add(test.fullTitle()));
  const missing = titles.find((title) => !all.has(title));
  if (missing !== undefined) throw new Error(`${chosenCases} names a test that does not exist: ${missing}`);
  const patterns = titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  mocha.grep(new RegExp(`^(${patterns.join('|')})$`));
}

function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
