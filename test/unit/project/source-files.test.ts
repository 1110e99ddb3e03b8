import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { type SourceFiles, sourceFiles } from '../../../server/src/project/source-files.ts';

const folder = resolve('/team/graphs');

interface Row {
  readonly source: string;
  /** Folder and glob of each place, as paths below the root, and whether only folders are meant. */
  readonly places: readonly string[];
  readonly concerns?: readonly string[];
  readonly not?: readonly string[];
}

/** One row per notation of file names. */
const rows: readonly Row[] = [
  {
    source: '{ kind: csv, path: orders.csv }',
    places: ['/team/graphs + orders.csv'],
    concerns: ['/team/graphs/orders.csv'],
    not: ['/team/graphs/other.csv', '/team/graphs/sub/orders.csv'],
  },
  {
    source: '{ kind: csv, path: "data/*.json" }',
    places: ['/team/graphs/data + *.json', '/team/graphs + data'],
    concerns: ['/team/graphs/data/a.json', '/team/graphs/data'],
    not: ['/team/graphs/data/a.csv', '/team/graphs/data/sub/a.json', '/team/graphs/a.json'],
  },
  {
    source: '{ kind: csv, path: [a/b/c.log, /other/d.csv] }',
    places: ['/team/graphs/a/b + c.log', '/team/graphs + a', '/team/graphs/a + b', '/other + d.csv', '/ + other'],
    concerns: ['/team/graphs/a', '/team/graphs/a/b', '/team/graphs/a/b/c.log', '/other', '/other/d.csv'],
    not: ['/team/graphs/a/c.log', '/othe'],
  },
  {
    source: '{ kind: csv, path: "../shared/**/*.{csv,tsv}" }',
    places: ['/team/shared + **/*.{csv,tsv}', '/team/shared + ** + folders', '/team + shared'],
    concerns: ['/team/shared/a.csv', '/team/shared/x/y/a.tsv', '/team/shared', '/team/shared/x/y'],
    not: ['/team/graphs/a.csv', '/team/shared/.hidden'],
  },
  {
    source: '{ kind: csv, path: "data/20*/[x]/orders.csv" }',
    places: [
      '/team/graphs/data + 20*/?x?/orders.csv',
      '/team/graphs/data + 20* + folders',
      '/team/graphs/data + 20*/?x? + folders',
      '/team/graphs + data',
    ],
    concerns: ['/team/graphs/data/2024', '/team/graphs/data/2024/[x]', '/team/graphs/data/2024/[x]/orders.csv'],
    not: ['/team/graphs/data/1999', '/team/graphs/data/2024/y', '/team/graphs/data/2024/[x]/other.csv'],
  },
  {
    source: '{ kind: csv, path: "a/*/**/b/*.csv" }',
    places: [
      '/team/graphs/a + */**/b/*.csv',
      '/team/graphs/a + * + folders',
      '/team/graphs/a + */** + folders',
      '/team/graphs + a',
    ],
    concerns: ['/team/graphs/a/x', '/team/graphs/a/x/y/b', '/team/graphs/a/x/y'],
    not: ['/team/graphs/b'],
  },
  {
    source: '{ kind: csv, path: "export{1,2}.csv" }',
    places: ['/team/graphs + export{1,2}.csv', '/team/graphs + export?1,2?.csv'],
    concerns: ['/team/graphs/export1.csv', '/team/graphs/export{1,2}.csv'],
    not: ['/team/graphs/export3.csv'],
  },
  {
    source: '{ kind: csv, path: "[x]/a{1.csv" }',
    places: ['/team/graphs/[x] + a?1.csv', '/team/graphs + ?x?'],
    concerns: ['/team/graphs/[x]/a{1.csv'],
    not: ['/team/graphs/x/a{1.csv', '/team/graphs/[x]/a11.csv'],
  },
  {
    source: '{ kind: csv, path: "${env:DATA}/a.csv" }',
    places: ['/data + a.csv', '/ + data'],
    concerns: ['/data/a.csv'],
  },
  { source: '{ kind: csv, path: "${env:NOWHERE}/a.csv" }', places: [] },
  { source: '{ kind: csv, path: "${secret:folder}/a.csv" }', places: [] },
  { source: '{ kind: csv, path: { a: b } }', places: [] },
  { source: '{ kind: csv }', places: [] },
  {
    source: '{ kind: rest, baseUrl: "https://api.example", openapi: "api/open*.json", auth: { token: "${secret:t}" } }',
    places: ['/team/graphs/api + open?.json', '/team/graphs + api'],
    concerns: ['/team/graphs/api/open*.json'],
    not: ['/team/graphs/api/openapi.json'],
  },
  { source: '{ kind: rest, baseUrl: "https://api.example", openapi: "https://api.example/x.json" }', places: [] },
  { source: '{ kind: postgresql, host: h, path: a.csv, openapi: b.json }', places: [] },
];

async function filesOf(source: string): Promise<SourceFiles> {
  const [found] = parseDataSources(`version: 1\ndataSources:\n  log: ${source}\n`).sources.sources;
  assert.ok(found, source);
  return sourceFiles(found, resolve(folder, 'entity-sources.yaml'), { DATA: '/data' });
}

describe('files of a data source', () => {
  for (const { source, places, concerns = [], not = [] } of rows) {
    it(`are found: ${source}`, async () => {
      const files = await filesOf(source);
      const expected = places.map((place) => place.split(' + '));
      assert.deepEqual(
        files.places.map((place) => [place.folder, place.glob, place.comesAndGoes]),
        expected.map(([at = '', glob, folders]) => [resolve(at), glob, folders === 'folders' || undefined]),
      );
      assert.deepEqual(
        [...concerns, ...not].filter((path) => files.concerns(resolve(path))),
        concerns,
      );
    });
  }

  it('include files that the catalog was read from', async () => {
    const [found] = parseDataSources('version: 1\ndataSources:\n  api: { kind: rest, openapi: a.yaml }\n').sources
      .sources;
    assert.ok(found);
    const furtherFiles = [resolve(folder, 'parts/b.yaml')];
    const files = await sourceFiles(found, resolve(folder, 'entity-sources.yaml'), {}, { furtherFiles });
    assert.deepEqual(files.named, [resolve(folder, 'a.yaml'), ...furtherFiles]);
    const paths = ['a.yaml', 'parts', 'parts/b.yaml', 'parts/c.yaml'];
    assert.deepEqual(
      paths.map((path) => files.concerns(resolve(folder, path))),
      [true, true, true, false],
    );
  });
});
