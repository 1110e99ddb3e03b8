import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { SourceError } from '../../server/src/connectors/source-error.ts';
import type { ProjectContext } from '../../server/src/project/open-project.ts';
import { recordWriter } from '../../server/src/connectors/servicenow/writes/record-writer.ts';
import { stageRows } from '../../server/src/operations/platform/stage-rows.ts';
import { sampleStagingRows } from '../../server/src/operations/platform/read-staging-rows.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { withClient } from '../support/servicenow-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { projectRoot } from '../support/doc-pages.ts';
import { workbookOf } from '../support/workbook.ts';
import { noSecrets } from '../support/no-secrets.ts';

const projectContext: ProjectContext = {
  openText: () => undefined,
  ...noSecrets,
};

/** One row per file: the request bodies. */
const files: readonly {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly sent: readonly Readonly<Record<string, string>>[];
  readonly warnings?: readonly string[];
}[] = [
  {
    name: 'excel.csv',
    content: '\uFEFFu_number;u_note\r\n007;"a ""q"" ; x"\r\n1.50;"two\r\nlines"\r\n;true\r\n',
    sent: [{ u_number: '007', u_note: 'a "q" ; x' }, { u_number: '1.50', u_note: 'two\r\nlines' }, { u_note: 'true' }],
  },
  {
    name: 'old.csv',
    content: Buffer.from('u_number,u_note\n1,M\xfcller\n', 'latin1'),
    sent: [{ u_number: '1', u_note: 'Müller' }],
    warnings: ['old.csv is not UTF-8 and is read as windows-1252.'],
  },
  { name: 'small.csv.gz', content: gzipSync('u_number,u_note\n08,x\n'), sent: [{ u_number: '08', u_note: 'x' }] },
  { name: 'rows.dat', content: 'u_number,u_note\n08,2024-01-02\n', sent: [{ u_number: '08', u_note: '2024-01-02' }] },
  { name: 'named.csv', content: 'a_1,column7\n1,2\n', sent: [{ a_1: '1', column7: '2' }] },
  {
    name: 'mixed.json',
    content:
      '[{"u_number":"1","u_note":"say \\"x\\"","when":"2024-01-02T10:00:00","none":null}, {"u_number":2,"u_note":"null","none":{"a":"b"}}, {"u_number":"0012345678901234567890","u_note":"[]"}]',
    sent: [
      { u_number: '1', u_note: 'say "x"', when: '2024-01-02 10:00:00' },
      { u_number: '2', u_note: 'null', none: '{"a":"b"}' },
      { u_number: '0012345678901234567890', u_note: '[]' },
    ],
  },
  {
    name: 'book.xlsx',
    content: workbookOf({
      formats: ['yyyy-mm-dd'],
      rows: `${cells('u_number', 'u_count', 'u_day')}<row><c t="inlineStr"><is><t>007</t></is></c><c><v>5.0</v></c><c s="1"><v>45292</v></c></row>`,
    }),
    sent: [{ u_number: '007', u_count: '5', u_day: '2024-01-01' }],
  },
  {
    name: 'keys.jsonl',
    content: '{"u_number":"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"}\n',
    sent: [{ u_number: 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11' }],
  },
];

/** One row of texts of a sheet. */
function cells(...texts: readonly string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
}

/** One row per file that is refused before anything is sent. */
const refused: readonly (readonly [name: string, content: string | Uint8Array, said: RegExp, remedy: RegExp])[] = [
  ['twice.csv', 'u_number,u_number\n1,2\n', /has several columns named u_number/, /a unique name/],
  ['case.csv', 'u_number,U_NUMBER\n1,2\n', /has several columns named U_NUMBER/, /a unique name/],
  ['unnamed.csv', 'u_number,\nx,y\n', /has a column without a name/, /a unique name/],
  ['headless.csv', '1,2\n3,4\n', /has no line with names of columns/, /a unique name/],
  ['uneven.csv', 'a,b\n1,2\n3\n', /line 3: expected 2 columns, found 1/, /as many values in each/],
  ['empty.csv', '', /is empty/, /at least its header line/],
  ['broken.json', '[{"a": 1}', /broken\.json/, /./],
  ['zeros.bin', Buffer.from([1, 0, 2, 0, 0, 3]), /holds binary data/, /Correct the file/],
  [
    'late.csv',
    Buffer.concat([Buffer.from(`a,b\n${'x,y\n'.repeat(80_000)}`), Buffer.from('M\xfcller,z\n', 'latin1')]),
    /bytes that are not UTF-8/,
    /^Save the file as UTF-8\.$/,
  ],
  [
    'headless.xlsx',
    workbookOf({ rows: '<row><c><v>1</v></c><c><v>2</v></c></row>' }),
    /has no row with names/,
    /a unique name/,
  ],
  [
    'unnamed.xlsx',
    workbookOf({ rows: `${cells('a', 'b', 'c', 'd')}${cells('v', 'w', 'x', 'y', 'z')}` }),
    /has a column without a name/,
    /a unique name/,
  ],
  [
    'twice.xlsx',
    workbookOf({ rows: `${cells('a', 'A')}${cells('x', 'y')}` }),
    /has several columns named A;/,
    /a unique name/,
  ],
  [
    'types.xlsx',
    readFileSync(join(projectRoot, 'test/data/workbooks/types.xlsx')),
    /has several tables: Types, /,
    /of its own/,
  ],
  ['cut.xlsx', workbookOf({ rows: cells('a') }).subarray(0, 500), /is damaged, or no Excel workbook/, /as \.xlsx/],
  ['rows.entity.yaml', 'version: 1\nname: T\n', /is an entity graph/, /one of its elements/],
];

describe('staging rows from files', () => {
  let folder = '';
  before(async () => {
    const all = [...files, ...refused.map(([name, content]) => ({ name, content }))];
    folder = await folderWith(Object.fromEntries(all.map(({ name, content }) => [name, content])));
  });
  after(() => removeFolder(folder));

  for (const { name, sent, warnings = [] } of files) {
    it(`reads the rows of ${name}, with their number`, async () => {
      await withClient({ incidents: 1 }, async (client, { requests }) => {
        const rows = { kind: 'file', file: join(folder, name) } as const;
        const action = { kind: 'stage rows', table: 'imp_incident', rows, bulk: false } as const;
        const { columns, ...sample } = await sampleStagingRows(rows, projectContext, {});
        assert.deepEqual(sample, { first: sent[0], count: sent.length, warnings });
        assert.deepEqual(new Set(columns), new Set(sent.flatMap((row) => Object.keys(row))));
        await stageRows(recordWriter(client), action, projectContext, {});
        assert.deepEqual(
          requests.map(({ body }) => JSON.parse(body.toString('utf8')) as unknown),
          sent,
        );
      });
    });
  }

  for (const [name, , said, remedy] of refused) {
    it(`refuses ${name} before anything is sent`, async () => {
      await withClient({ incidents: 1 }, async (client, { requests }) => {
        const rows = { kind: 'file', file: join(folder, name) } as const;
        const action = { kind: 'stage rows', table: 'imp_incident', rows, bulk: false } as const;
        for (const attempt of [
          () => sampleStagingRows(rows, projectContext, {}),
          () => stageRows(recordWriter(client), action, projectContext, {}),
        ]) {
          await assert.rejects(attempt(), (error: SourceError) => {
            assert.match(error.message, said);
            assert.match(error.details.remedy ?? '', remedy);
            assert.doesNotMatch(error.details.remedy ?? '', /\bset \w+ |data sources file/i);
            return true;
          });
        }
        assert.deepEqual(requests, []);
      });
    });
  }

  it('converts each value of a Parquet file to the format of ServiceNow', async () => {
    const folder = await folderWith({});
    try {
      const file = join(folder, 'rows.parquet');
      await withBuildDatabase(async (staging) => {
        const path = join(staging.temporaryFolder, 'rows.parquet');
        const row = `SELECT '007' AS u_number, 12 AS u_count, CAST(1.50 AS DECIMAL(10,2)) AS u_cost, true AS u_open,
          DATE '2024-01-02' AS u_day, TIMESTAMP '2024-01-02 10:00:00' AS u_at, TIMESTAMPTZ '2024-01-02 10:00:00+02' AS u_utc`;
        await staging.run(
          `COPY (${row} UNION ALL SELECT '008', NULL, NULL, NULL, NULL, NULL, NULL ORDER BY 1) TO '${path}' (FORMAT parquet)`,
        );
        await copyFile(path, file);
      });
      await withClient({ incidents: 1 }, async (client, simulator) => {
        const rows = { kind: 'file', file } as const;
        const sample = await sampleStagingRows(rows, projectContext, {});
        const first = {
          ...{ u_number: '007', u_count: '12', u_cost: '1.50', u_open: 'true', u_day: '2024-01-02' },
          ...{ u_at: '2024-01-02 10:00:00', u_utc: '2024-01-02 08:00:00' },
        };
        assert.deepEqual([sample.count, sample.first, sample.columns], [2, first, Object.keys(first)]);
        await stageRows(
          recordWriter(client),
          { kind: 'stage rows', table: 'imp_incident', rows, bulk: false },
          projectContext,
          {},
        );
        const sent = simulator.requests.filter(({ method }) => method === 'POST');
        assert.deepEqual(
          sent.map(({ body }) => JSON.parse(body.toString('utf8')) as unknown),
          [first, { u_number: '008' }],
        );
      });
    } finally {
      await removeFolder(folder);
    }
  });

  it('reads no rows from a file with only a header', async () => {
    const only = await folderWith({ 'only.csv': 'u_number,u_note\n' });
    try {
      const rows = { kind: 'file', file: join(only, 'only.csv') } as const;
      const { first, count } = await sampleStagingRows(rows, projectContext, {});
      assert.deepEqual([first, count], [undefined, 0]);
    } finally {
      await removeFolder(only);
    }
  });

  it('sends the visible columns of a query only', async () => {
    const graph = `version: 1
name: T
dataSource: files
elements:
  - { activityName: A, dataObject: a, key: u_number, startTimestamp: at, properties: all, joins: LEFT JOIN a AS b ON false }
`;
    const own = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
      'rows.entity.yaml': graph,
      'a.csv': 'u_number,at\n7,2024-01-02\n',
    });
    try {
      const target = { kind: 'element', name: 'A' } as const;
      const rows = { kind: 'query', graph: join(own, 'rows.entity.yaml'), target } as const;
      const within = { ...projectContext, workspaceFolderOf: () => own };
      const { columns, first } = await sampleStagingRows(rows, within, {});
      assert.deepEqual([columns, first], [['u_number', 'at'], { u_number: '7', at: '2024-01-02' }]);
    } finally {
      await removeFolder(own);
    }
  });
});
