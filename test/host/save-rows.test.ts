import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Uri, workspace } from 'vscode';
import type { FileRequests } from '../../client/src/save-file.ts';
import { saveRows } from '../../client/src/save-rows.ts';
import type { RequestMethod, RequestParams, RequestResult } from '../../protocol/language-requests.ts';
import { toOutcome } from '../../server/src/operations/operation-error.ts';
import { saveFile } from '../../server/src/operations/graph-files/save-file.ts';
import { answering, file, press } from './person.ts';

describe('export of result rows', () => {
  const folder = join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'exported');
  const obstacle = `${folder}.txt`;
  const rows = { name: 'Place Order', format: 'csv', text: 'id\r\n1\r\n' } as const;

  /** The language server's response to a write request. */
  const language: FileRequests = {
    request: async <M extends RequestMethod>(method: M, params: RequestParams<M>) => {
      assert.equal(method, 'entityGraph/saveFile');
      const { target, base64 } = params as RequestParams<'entityGraph/saveFile'>;
      const saved = await toOutcome(() => saveFile(Uri.parse(target).fsPath, Buffer.from(base64, 'base64')));
      return (saved.ok ? { ok: true, value: null } : saved) as RequestResult<M>;
    },
  };

  after(() => Promise.all([folder, obstacle].map((path) => rm(path, { recursive: true, force: true }))));

  it('asks for another path when a file cannot be written', async () => {
    await writeFile(obstacle, 'A file, in which there is no room for another.');
    const impossible = Uri.file(join(obstacle, 'rows.csv'));
    const possible = Uri.file(join(folder, 'rows.csv'));
    const told = await answering(
      [
        file(/Export Rows/, impossible),
        press(/could not be written/, 'Choose Another Place'),
        file(/Export Rows/, possible),
      ],
      () => saveRows(language, rows, undefined),
    );
    assert.match(
      told[0] ?? '',
      /^The rows could not be written to exported\.txt\/rows\.csv\. .*exported\.txt is not a folder, so nothing can be written below it\. Move it away/,
    );
    assert.equal(told.length, 2);
    assert.match(told[1] ?? '', /^The rows were saved at \d+:\d\d:\d\d.* in exported\/rows\.csv\.$/u);
    assert.equal(await readFile(possible.fsPath, 'utf8'), rows.text);
  });

  it('stops when the user cancels', async () => {
    await writeFile(obstacle, 'A file.');
    const told = await answering([file(/Export Rows/, Uri.file(join(obstacle, 'rows.csv')))], () =>
      saveRows(language, rows, undefined),
    );
    assert.equal(told.length, 1);
  });
});
