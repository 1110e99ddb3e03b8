import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { earlierInspections } from '../../../server/src/connectors/csv/earlier-inspections.ts';
import { openFileSource } from '../../../server/src/connectors/csv/file-source.ts';
import type { FileObject, InspectedFile } from '../../../server/src/connectors/csv/inspected-file.ts';
import type { FileSourceConfig } from '../../../server/src/connectors/csv/read-settings.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const many = 60;

describe('inspections of parts by an earlier run', () => {
  let folder: string;
  let caches: string;
  let config: FileSourceConfig;
  let object: FileObject;
  let inspected: ReadonlyMap<string, InspectedFile>;

  before(async () => {
    const files = Array.from({ length: many }, (_, index) => [
      `orders-${index + 100}.csv`,
      `id,n\na${index},${index}\n`,
    ]);
    folder = await folderWith(Object.fromEntries(files));
    caches = await folderWith({ 'program.js': '' });
    config = {
      name: 'files',
      folder,
      paths: ['*.csv'],
      timeZone: 'UTC',
      options: {},
      parts: new Map([['orders', ['orders-*.csv']]]),
      files: new Map(),
      incremental: true,
    };
    const source = openFileSource(config);
    const [found] = await source.list();
    assert.ok(found);
    object = found;
    const { parts = [] } = await source.inspect(object);
    await source.close();
    assert.equal(parts.length, many);
    // The files are older than they are.
    inspected = new Map(parts.map((part) => [part.path, { ...part, changed: part.changed - 60_000 }]));
  });
  after(async () => {
    await removeFolder(folder);
    await removeFolder(caches);
  });

  const next = (settings: Partial<FileSourceConfig> = {}, of: FileObject = object) =>
    earlierInspections({ ...config, ...settings }, of, join(caches, 'program.js'), {
      [process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME']: caches,
    });
  const recalled = (settings?: Partial<FileSourceConfig>): ReadonlyMap<string, InspectedFile> => {
    const found = new Map<string, InspectedFile>();
    next(settings)?.recall(found);
    return found;
  };

  it('are found again, with formats, columns and types', () => {
    next()?.keep(inspected);
    // As JSON: members that are undefined are missing.
    assert.deepEqual([...recalled()], JSON.parse(JSON.stringify([...inspected])));
  });

  it('do not replace inspections of this run', () => {
    next()?.keep(inspected);
    const [path = '', part] = [...inspected][0] ?? [];
    assert.ok(part);
    const own = { ...part, warnings: ['mine'] };
    const found = new Map([[path, own]]);
    next()?.recall(found);
    assert.equal(found.get(path), own);
    assert.equal(found.size, many);
  });

  it('are not kept of files that were written a moment ago, or that are no parts', () => {
    const [[path, part] = [], [, other] = []] = [...inspected];
    assert.ok(path !== undefined && part && other);
    const mixed = new Map(inspected).set(path, { ...part, changed: Date.now() });
    next()?.keep(new Map(mixed).set('other', { ...other, path: join(folder, 'other.csv') }));
    assert.deepEqual([...recalled().keys()], [...inspected.keys()].slice(1));
  });

  it('are not used with other settings, or by another version of the program', async () => {
    next()?.keep(inspected);
    assert.equal(recalled({ options: { delimiter: ';' } }).size, 0);
    assert.equal(recalled({ files: new Map([['orders-100.csv', { header: false }]]) }).size, 0);
    assert.equal(recalled().size, many);
    await utimes(join(caches, 'program.js'), new Date('2030-01-01'), new Date('2030-01-01'));
    assert.equal(recalled().size, 0);
  });

  it('are not kept for few parts, which are inspected quickly', () => {
    assert.equal(next({}, { ...object, parts: object.parts?.slice(0, 49) ?? [] }), undefined);
  });
});
