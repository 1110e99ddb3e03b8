import assert from 'node:assert/strict';
import { chmod, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type KnownGraphFacts,
  createKnownGraphFacts,
} from '../../../server/src/operations/graph-files/known-graph-facts.ts';
import { type EntityRow, listEntities } from '../../../server/src/operations/graph-files/list-entities.ts';
import { definitionHash } from '../../../server/src/state/definition-history.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const textOf = (index: number): string => `version: 1\nname: Graph ${index}\ndataSource: files\nelements: []\n`;
const broken = 'version: 1\nname: Broken\ndataSource: files\nelements: [\n';
const graphs = 24;

describe('facts of graphs that an earlier run listed', () => {
  let folder: string;
  let caches: string;
  let program: string;
  const known = (): KnownGraphFacts =>
    createKnownGraphFacts(folder, program, {
      [process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME']: caches,
    });
  const list = async (facts?: KnownGraphFacts): Promise<readonly EntityRow[]> =>
    (await listEntities(folder, { workspaceFolderOf: () => folder, known: facts })).rows;
  const path = (index: number): string => join(folder, `graph-${index}.entity.yaml`);

  beforeEach(async () => {
    const names = Array.from({ length: graphs }, (_, index) => [`graph-${index}.entity.yaml`, textOf(index)]);
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources: { files: { kind: csv, path: "*.csv" } }\n',
      ...Object.fromEntries(names),
      'broken.entity.yaml': broken,
    });
    caches = await folderWith({ 'program.js': '' });
    program = join(caches, 'program.js');
  });
  afterEach(async () => {
    await removeFolder(folder);
    await removeFolder(caches);
  });

  it('equal the facts that a listing finds, including mistakes and their places', async () => {
    const rows = await list(known());
    const next = known();
    assert.equal(next.of(path(3), definitionHash(textOf(3)))?.name, 'Graph 3');
    assert.equal(next.of(join(folder, 'broken.entity.yaml'), definitionHash(broken))?.mistake?.severity, 'error');
    assert.deepEqual(await list(next), rows);
    assert.deepEqual(await list(), rows);
  });

  it('are shown without parsing the file', async () => {
    const facts = known();
    facts.remember(path(3), definitionHash(textOf(3)), {
      name: 'Remembered',
      dataSources: [],
      dataSource: undefined,
      mistake: undefined,
    });
    assert.ok((await list(facts)).some(({ name }) => name === 'Remembered'));
  });

  it('are replaced when the text has changed', async () => {
    await list(known());
    await writeFile(path(3), textOf(33));
    const facts = known();
    assert.equal(facts.of(path(3), definitionHash(textOf(33))), undefined);
    assert.ok((await list(facts)).some(({ name }) => name === 'Graph 33'));
    assert.equal(known().of(path(3), definitionHash(textOf(33)))?.name, 'Graph 33');
  });

  it('are forgotten with their files', async () => {
    await list(known());
    await rm(path(3));
    await list(known());
    assert.equal(known().of(path(3), definitionHash(textOf(3))), undefined);
    assert.equal(known().of(path(4), definitionHash(textOf(4)))?.name, 'Graph 4');
  });

  it('are not used by another version of the program', async () => {
    await list(known());
    await utimes(program, new Date('2030-01-01'), new Date('2030-01-01'));
    assert.equal(known().of(path(3), definitionHash(textOf(3))), undefined);
  });

  it('are not stored for texts with carriage returns, which change positions', async () => {
    const text = textOf(3).replaceAll('\n', '\r\n');
    await writeFile(path(3), text);
    await list(known());
    assert.equal(known().of(path(3), definitionHash(text)), undefined);
  });

  it('are not stored for a few graphs, which are parsed quickly', async () => {
    for (let index = 5; index < graphs; index += 1) await rm(path(index));
    await list(known());
    assert.deepEqual(await readdir(caches), ['program.js']);
  });

  it('are not read from a folder that others can write to', async () => {
    if (process.platform === 'win32') return;
    await list(known());
    await chmod(join(caches, 'entity-graph', 'graphs'), 0o777);
    assert.equal(known().of(path(3), definitionHash(textOf(3))), undefined);
  });
});
