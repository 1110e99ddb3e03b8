import assert from 'node:assert/strict';
import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindingsAnswer } from '../../protocol/findings.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { projectFolder } from '../support/vscode-host.ts';

/** What is odd in the samples, as bench/notes/findings.md lists it: accepted, nothing above an information is left. */
const accepted: readonly (readonly [file: string, entries: readonly string[]])[] = [
  ['order-to-cash/order-to-cash', []],
  [
    'incidents/incidents',
    [
      '{ finding: same-time-order, reason: The update and what it reports are one row. }',
      '{ finding: whole-hours, element: Close Incident, reason: A job closes incidents on the hour. }',
      '{ finding: whole-hours, element: Update Incident, reason: A job closes incidents on the hour. }',
      '{ finding: batch-bursts, element: Close Incident, reason: A job closes incidents on the hour. }',
      '{ finding: batch-bursts, element: Update Incident, reason: A job closes incidents on the hour. }',
    ],
  ],
  [
    'incidents/trail',
    [
      '{ finding: whole-hours, element: Update Incident, reason: A job closes incidents on the hour. }',
      '{ finding: batch-bursts, element: Update Incident, reason: A job closes incidents on the hour. }',
    ],
  ],
];

describe('findings in the samples', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith({});
    await cp(join(projectFolder, 'samples'), folder, { recursive: true });
  });
  after(() => removeFolder(folder));

  for (const [file, entries] of accepted) {
    it(`no warning is left in ${file}, and no entry is needless`, async () => {
      const path = join(folder, `${file}.entity.yaml`);
      if (entries.length > 0)
        await appendFile(path, `\naccepted:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`);
      const run = (...args: readonly string[]) => runCommand([...args, '--workspace', join(path, '..')], folder);
      assert.equal((await run('import', path)).code, 0);
      const { stdout } = await run('findings', path, '--format', 'json');
      const { findings, stale } = JSON.parse(stdout) as FindingsAnswer;
      const warnings = findings.filter((each) => each.severity === 'warning' && each.accepted === undefined);
      assert.deepEqual(
        warnings.map(({ kind, message }) => `${kind}: ${message}`),
        [],
      );
      assert.deepEqual(stale, []);
    });
  }
});
