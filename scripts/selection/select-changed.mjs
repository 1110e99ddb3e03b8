import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mjs';
import { readCalledSources } from './called-sources.mjs';
import { changedFiles } from './changed-files.mjs';
import { fitSelection } from './fit-selection.mjs';
import { importGraph } from './import-graph.mjs';
import { isTestFile, selectTests } from './select-tests.mjs';

/**
 * The test files to run for what has changed since a commit, and a text that says why; undefined `tests` means all.
 * @param {{
 *   base?: string,
 *   everyCaller?: boolean,
 *   secondsOf?: (test: string) => number | undefined,
 * }} [options] `base`: default: where this branch left `main`, and on `main` the commit before; `everyCaller`: also those
 *   for which two minutes do not suffice; `secondsOf`: measured processor times of test files
 * @returns {{ tests: ReadonlySet<string> | undefined, text: string }}
 */
export function selectChanged({ base, everyCaller = false, secondsOf } = {}) {
  const change = changedFiles(base);
  if (change === undefined) return { tests: undefined, text: 'Runs all tests: there is no commit to compare with.' };
  const files = projectFiles();
  const record = readCalledSources();
  const { everything, tests: all } = selectTests({
    changed: change.files,
    files,
    record,
    imports: importGraph(files),
    textOf: (file) => readFileSync(join(root, file), 'utf8'),
  });
  const since = `${change.files.length} changed files since ${change.base.slice(0, 10)}`;
  if (everything !== undefined) return { tests: undefined, text: `Runs all tests, as ${everything} (${since}).` };
  const { tests, leftOut } = fitSelection(all, { record, secondsOf, ...(everyCaller && { budget: Infinity }) });
  const text = [
    `Runs ${tests.size} of ${files.filter(isTestFile).length} test files for ${since}:`,
    ...[...tests].sort().map(([test, why]) => `  ${test} ${why}`),
    ...(leftOut.length > 0
      ? [`Leaves out ${leftOut.length} more that call much else, too, which --every-caller runs: ${leftOut.join(', ')}`]
      : []),
  ];
  return { tests: new Set(tests.keys()), text: text.join('\n') };
}

/** Those that git knows or would add, without deleted ones. */
export function projectFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  return [...new Set(output.split('\0'))].filter((file) => file !== '' && existsSync(join(root, file)));
}
