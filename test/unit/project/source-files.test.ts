import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { type SourceFiles, sourceFiles } from '../../../server/src/project/source-files.ts';

const folder = resolve('/work/graphs');

interface Row {
  readonly source: string;
  /** Folder and glob of each place, as paths below the root. */
  readonly places: readonly string[];
  readonly concerns?: readonly string[];
  readonly not?: readonly string[];
}

/** One row a way to name files. */
const rows: readonly Row[] = [
  {
    source: '{ kind: csv, path: orders.csv }',
    places: ['/work/graphs + orders.csv'],
    concerns: ['/work/graphs/orders.csv'],
    not: ['/work/graphs/other.csv', '/work/graphs/sub/orders.csv'],
  },
  {
    source: '{ kind: csv, path: "data/*.json" }',
    places: ['/work/graphs/data + *.json', '/work/graphs + data'],
    concerns: ['/work/graphs/data/a.json', '/work/graphs/data'],
    not: ['/work/graphs/data/a.csv', '/work/graphs/data/sub/a.json', '/work/graphs/a.json'],
  },
  {
    source: '{ kind: csv, path: [a/b/c.log, /other/d.csv] }',
    places: ['/work/graphs/a/b + c.log', '/work/graphs + a', '/work/graphs/a + b', '/other + d.csv', '/ + other'],
    concerns: ['/work/graphs/a', '/work/graphs/a/b', '/work/graphs/a/b/c.log', '/other', '/other/d.csv'],
    not: ['/work/graphs/a/c.log', '/othe'],
  },
  {
    source: '{ kind: csv, path: "../shared/**/*.{csv,tsv}" }',
    places: ['/work/shared + **/*.{csv,tsv}', '/work + shared'],
    concerns: ['/work/shared/a.csv', '/work/shared/x/y/a.tsv', '/work/shared'],
    not: ['/work/shared/a.json', '/work/graphs/a.csv'],
  },
  {
    source: '{ kind: csv, path: "export{1,2}.csv" }',
    places: ['/work/graphs + export{1,2}.csv', '/work/graphs + export?1,2?.csv'],
    concerns: ['/work/graphs/export1.csv', '/work/graphs/export{1,2}.csv'],
    not: ['/work/graphs/export3.csv'],
  },
  {
    source: '{ kind: csv, path: "[x]/a{1.csv" }',
    places: ['/work/graphs/[x] + a?1.csv', '/work/graphs + ?x?'],
    concerns: ['/work/graphs/[x]/a{1.csv'],
    not: ['/work/graphs/x/a{1.csv', '/work/graphs/[x]/a11.csv'],
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
    places: ['/work/graphs/api + open?.json', '/work/graphs + api'],
    concerns: ['/work/graphs/api/open*.json'],
    not: ['/work/graphs/api/openapi.json'],
  },
  { source: '{ kind: rest, baseUrl: "https://api.example", openapi: "https://api.example/x.json" }', places: [] },
  { source: '{ kind: postgresql, host: h, path: a.csv, openapi: b.json }', places: [] },
];

async function filesOf(source: string): Promise<SourceFiles> {
  const [found] = parseDataSources(`version: 1\ndataSources:\n  log: ${source}\n`).sources.sources;
  assert.ok(found, source);
  return sourceFiles(found, resolve(folder, 'entity-sources.yaml'), { DATA: '/data' });
}

describe('files of a source', () => {
  for (const { source, places, concerns = [], not = [] } of rows) {
    it(`are found: ${source}`, async () => {
      const files = await filesOf(source);
      const expected = places.map((place) => place.split(' + '));
      assert.deepEqual(
        files.places.map((place) => [place.folder, place.glob]),
        expected.map(([at = '', glob]) => [resolve(at), glob]),
      );
      assert.deepEqual(
        [...concerns, ...not].filter((path) => files.concerns(resolve(path))),
        concerns,
      );
    });
  }
});
