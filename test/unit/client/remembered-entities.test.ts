import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRememberedEntities } from '../../../client/src/remembered-entities.ts';
import type { EntityView } from '../../../protocol/requests/lifecycle-requests.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const view = (name: string): EntityView => ({
  ...{ uri: `file:///w/${name}.entity.yaml`, name, dataSource: null, dataSources: [], sourcesUri: null },
  ...{ status: 'Not Imported', progress: null, imported: null, modifiedSinceImport: false, created: '', modified: '' },
});

describe('remembered entity graphs', () => {
  let parent: string;
  let folder: string;
  beforeEach(async () => {
    parent = await folderWith({});
    folder = join(parent, 'storage');
  });
  afterEach(() => removeFolder(parent));

  const open = (version = '1.0.0') => createRememberedEntities(folder, version);

  it('are the graphs of the last response, stored in a folder that is created if needed', async () => {
    assert.equal(await open().read(), undefined);
    const list = open();
    await Promise.all([list.keep([view('a')]), list.keep([view('a'), view('b')])]);
    assert.deepEqual(await open().read(), [view('a'), view('b')]);
    assert.deepEqual(await readdir(folder), ['entities.json']);
  });

  it('are not written again without a change', async () => {
    await open().keep([view('a')]);
    const file = join(folder, 'entities.json');
    const before = await stat(file);
    const list = open();
    await list.read();
    await list.keep([view('a')]);
    await list.keep([view('a')]);
    // A written file is another one, because it is moved into place.
    assert.equal((await stat(file)).ino, before.ino);
    await list.keep([]);
    assert.notEqual((await stat(file)).ino, before.ino);
  });

  it('are empty for another version of the extension, a damaged file, and without a workspace', async () => {
    await open().keep([view('a')]);
    assert.equal(await open('1.0.1').read(), undefined);
    const file = join(folder, 'entities.json');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -1));
    assert.equal(await open().read(), undefined);
    const nowhere = createRememberedEntities(undefined, '1.0.0');
    await nowhere.keep([view('a')]);
    assert.equal(await nowhere.read(), undefined);
  });

  it('leave no temporary file behind when they cannot be written', async () => {
    await writeFile(join(parent, 'storage'), 'a file where the folder would be');
    await open().keep([view('a')]);
    assert.deepEqual(await readdir(parent), ['storage']);
  });
});
