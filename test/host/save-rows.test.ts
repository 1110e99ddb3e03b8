import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Uri, workspace } from 'vscode';
import { saveRows } from '../../client/src/save-rows.ts';
import { answering, file, press } from './person.ts';

describe('rows that are exported', () => {
  const folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'exported');
  const obstacle = `${folder}.txt`;
  const rows = { name: 'Place Order', format: 'csv', text: 'id\r\n1\r\n' } as const;

  after(() => Promise.all([folder, obstacle].map((path) => rm(path, { recursive: true, force: true }))));

  it('go elsewhere where they cannot be written, which is said', async () => {
    await writeFile(obstacle, 'A file, in which there is no room for another.');
    const impossible = Uri.file(join(obstacle, 'rows.csv'));
    const possible = Uri.file(join(folder, 'rows.csv'));
    const told = await answering(
      [
        file(/Export Rows/, impossible),
        press(/could not be written/, 'Choose Another Place'),
        file(/Export Rows/, possible),
      ],
      () => saveRows(rows, undefined),
    );
    assert.match(told[0] ?? '', /^The rows could not be written to exported\.txt\/rows\.csv\. .*exported\.txt/);
    assert.deepEqual(told.slice(1), ['The rows are in exported/rows.csv.']);
    assert.equal(await readFile(possible.fsPath, 'utf8'), rows.text);
  });

  it('go nowhere when the person gives up', async () => {
    await writeFile(obstacle, 'A file.');
    const told = await answering([file(/Export Rows/, Uri.file(join(obstacle, 'rows.csv')))], () =>
      saveRows(rows, undefined),
    );
    assert.equal(told.length, 1);
  });
});
