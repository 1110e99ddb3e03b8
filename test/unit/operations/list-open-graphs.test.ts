import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { type EntityReading, describeEntity } from '../../../server/src/operations/graph-files/list-entities.ts';
import { findSourceUses } from '../../../server/src/project/find-source-uses.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const text = 'version: 1\nname: Orders\ndataSource: nowhere\nelements:\n  - activityName: Order\n';

describe('open graphs in a listing', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources: { files: { kind: csv, path: "*.csv" } }\n',
      'orders.entity.yaml': text,
    });
    file = join(folder, 'orders.entity.yaml');
  });
  after(() => removeFolder(folder));

  /** An editor with one version of the graph, whose document was parsed from another text. */
  const opened = (parsedText: string) => {
    const parsed = createGraphParser().parse(parsedText);
    return {
      workspaceFolderOf: () => folder,
      openText: (path: string) => (path === file ? text : undefined),
      openGraph: (path: string) => Promise.resolve(path === file ? { text, parsed } : undefined),
    };
  };

  it('use the parsed documents without parsing them again', async () => {
    const { name, dataSources } = await describeEntity(file, opened(text.replace('Orders', 'Parsed before')));
    assert.deepEqual({ name, dataSources }, { name: 'Parsed before', dataSources: ['nowhere'] });
  });

  it('have the same row as a file with that text', async () => {
    const row = await describeEntity(file, opened(text));
    assert.deepEqual(row, await describeEntity(file, { workspaceFolderOf: () => folder }));
    assert.equal(row.problem?.code, 'unknown-data-source');
  });

  it('are parsed if their documents skip a part', async () => {
    const reading = { ...opened('name: Parsed before\n'), openGraph: () => Promise.resolve(undefined) };
    assert.equal((await describeEntity(file, reading)).name, 'Orders');
  });

  it('keep the place of their problem when a later version moves it', async () => {
    const parser = createGraphParser();
    const parsed = parser.parse(text);
    const memory: EntityReading['memory'] = new Map();
    const reading = { ...opened(text), memory, openGraph: () => Promise.resolve({ text, parsed }) };
    const { problem } = await describeEntity(file, reading);
    parser.parse(`# first\n# second\n${text}`);
    assert.deepEqual((await describeEntity(file, reading)).problem, problem);
    assert.equal(problem?.range?.start.line, 2);
  });

  it('list the data sources that their documents name', async () => {
    const used = await findSourceUses(
      join(folder, 'entity-sources.yaml'),
      opened(text.replace('nowhere', 'elsewhere')),
    );
    assert.deepEqual(used && [...used], ['elsewhere']);
  });
});
