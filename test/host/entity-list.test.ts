import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventEmitter, Range, type TextDocument, Uri, WorkspaceEdit, commands, window, workspace } from 'vscode';
import { createActiveGraphStatus } from '../../client/src/active-graph-status.ts';
import { createEntityList } from '../../client/src/entity-list.ts';
import type { GraphLanguage } from '../../client/src/language-client.ts';
import { type RememberedEntities, createRememberedEntities } from '../../client/src/remembered-entities.ts';
import type { RunningImports } from '../../client/src/running-imports.ts';
import type { EntityRow } from '../../protocol/entities-table.ts';
import type { EntitiesView, EntityView } from '../../protocol/requests/lifecycle-requests.ts';
import { waitFor } from './wait-for.ts';

const imported = { status: 'Imported', progress: null, imported: null, modifiedSinceImport: false };

/** The list and the active graph beside those of the extension, with a server that answers these statuses. */
async function opened(statusOf: () => unknown) {
  // Never saved by VS Code, which would be a change of a file.
  const document = await workspace.openTextDocument({ language: 'entity-graph', content: 'version: 1\n' });
  const uri = document.uri.toString();
  const asked: string[] = [];
  const request = (method: string): Promise<unknown> => {
    asked.push(method);
    const view = { ...imported, uri, name: 'a', dataSource: null, dataSources: [], sourcesUri: null };
    const entities = { entities: [{ ...view, created: '', modified: '' }], unreadable: [] };
    return Promise.resolve(method === 'entityGraph/entities' ? entities : statusOf());
  };
  const language = { request } as unknown as GraphLanguage;
  const imports = { onDidChange: new EventEmitter<void>().event, of: () => undefined } as unknown as RunningImports;
  const fail = (error: unknown): void => assert.fail(error as Error);
  const list = createEntityList(language, imports, createRememberedEntities(undefined, ''), fail);
  const active = createActiveGraphStatus(language, list, fail);
  let read = 0;
  list.onDidReadStatus(() => (read += 1));
  await window.showTextDocument(document);
  await waitFor('the status is known', () => active.current?.status !== undefined);
  return {
    ...{ document, list, active, asked },
    type: async () => {
      const before = read;
      await append(document);
      await waitFor(
        'the status of the edited text is known',
        () => read > before,
        () => asked,
      );
    },
    async close() {
      active.dispose();
      list.dispose();
      await window.showTextDocument(document);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    },
  };
}

async function append(document: TextDocument): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(document.lineCount, 0, document.lineCount, 0), '# x\n');
  await workspace.applyEdit(edit);
}

describe('statuses of edited graphs', () => {
  it('are requested once per pause in typing, and the list only while it is shown', async () => {
    const { asked, type, close } = await opened(() => imported);
    try {
      const before = asked.length;
      for (let key = 0; key < 3; key += 1) await type();
      assert.deepEqual(asked.slice(before), Array(3).fill('entityGraph/status'));
    } finally {
      await close();
    }
  });

  it('are shown for the active graph, and a visible list is read again after a change of status', async () => {
    let status = imported;
    const { active, asked, list, type, close } = await opened(() => status);
    try {
      await list.rows();
      let refreshed = 0;
      list.onDidRefresh(() => (refreshed += 1));
      await type();
      assert.equal(refreshed, 0);
      status = { ...imported, modifiedSinceImport: true };
      await type();
      assert.equal(active.current?.status?.modifiedSinceImport, true);
      await waitFor('the list is outdated', () => refreshed === 1);
      await list.rows();
      assert.equal(asked.filter((method) => method === 'entityGraph/entities').length, 2);
    } finally {
      await close();
    }
  });
});

describe('rows of an earlier run', () => {
  it('are shown for folders that are still open, until the server answers', async () => {
    const folder = workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const view = (uri: string, name: string): EntityView => ({
      ...{ ...imported, status: 'Imported', uri, name, dataSource: null, dataSources: [], sourcesUri: null },
      ...{ created: '', modified: '' },
    });
    const here = view(Uri.joinPath(folder, 'a.entity.yaml').toString(), 'a');
    const storage = await mkdtemp(join(tmpdir(), 'entity-graph-storage-'));
    const remembered = (): RememberedEntities => createRememberedEntities(storage, '1.0.0');
    await remembered().keep([here, view('file:///elsewhere/b.entity.yaml', 'b')]);
    let answer = (_: EntitiesView): void => undefined;
    const answered = new Promise<EntitiesView>((resolve) => (answer = resolve));
    const language = { request: () => answered } as unknown as GraphLanguage;
    const imports = { onDidChange: new EventEmitter<void>().event, of: () => undefined } as unknown as RunningImports;
    const list = createEntityList(language, imports, remembered(), (error) => assert.fail(error as Error));
    try {
      const names = (rows: readonly EntityRow[] | undefined) => rows?.map(({ name }) => name);
      const complete = list.rows();
      assert.deepEqual(names(await list.earlierRows()), ['a']);
      const renamed = { ...here, name: 'renamed' };
      answer({ entities: [renamed], unreadable: [] });
      assert.deepEqual(names(await complete), ['renamed']);
      assert.equal(await list.earlierRows(), undefined);
      await waitFor('the answer is kept', async () => (await remembered().read())?.[0]?.name === 'renamed');
    } finally {
      list.dispose();
      await rm(storage, { recursive: true });
    }
  });
});
