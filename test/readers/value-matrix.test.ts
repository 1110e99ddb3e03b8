import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { csvSources, graphText, withGraph } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { python, runProgram } from './tools.ts';

const program = fileURLToPath(new URL('compare-values.py', import.meta.url));
const parquetWriter = fileURLToPath(new URL('write-parquet.py', import.meta.url));
const workbookWriter = fileURLToPath(new URL('write-workbooks.py', import.meta.url));

/** Values as JSON has them. */
const values: readonly string[] = [
  ...['5', '9007199254740993', '18446744073709551617', '1.5', '90071992547409.93', '1e3', 'true'],
  ...['"A-1"', '"2024-07-01"', '"2024-07-01 10:00:00.5"', '"2024-07-01T10:00:00+02:00"'],
  ...['"2024-07-01T10:00:00.1234567"', '"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"'],
];
/** Texts that only CSV may take for values of another type. */
const texts: readonly string[] = ['"10:00"', '"007"', '"0x1F"', '"1_000"', '"yes"'];
const times: readonly string[] = values.filter((value) => value.startsWith('"2024-'));

type Format = 'csv' | 'json' | 'jsonl' | 'parquet' | 'xlsx';
type Shape = 'top' | 'object' | 'list';

/** A file of which each column has a value of its own behind the same one, then none. */
interface Matter {
  readonly format: Format;
  readonly shape: Shape;
  readonly early: string;
  readonly late: readonly string[];
  /** Rows with the early value. */
  readonly before: number;
}

/** A file that pyarrow or openpyxl wrote. `early` names the value in its first rows, for messages. */
interface WrittenMatter extends Matter {
  readonly file: string;
  readonly kinds: readonly ('roles' | 'times')[];
}

function contentOf({ format, shape, early, late, before }: Matter): string {
  const rows = [...Array.from({ length: before }, () => late.map(() => early)), late, late.map(() => 'null')];
  if (format === 'csv') {
    const cell = (value: string): string => (value === 'null' ? '' : value.startsWith('"') ? value : `"${value}"`);
    const head = `n,${late.map((_, index) => `x${index}`).join(',')}\n`;
    return head + rows.map((cells, index) => `${index + 1},${cells.map(cell).join(',')}\n`).join('');
  }
  const records = rows.map((cells, index) => {
    const fields = cells.map((value, column) => `"x${column}":${shape === 'list' ? `[${value}]` : value}`).join(',');
    return shape === 'object' ? `{"n":${index + 1},"o":{${fields}}}` : `{"n":${index + 1},${fields}}`;
  });
  return format === 'jsonl' ? `${records.join('\n')}\n` : `[${records.join(',')}]`;
}

/** The data object, in YAML, and its name in SQL within double quotes of YAML. */
function objectOf({ format }: Matter): { readonly object: string; readonly sql: string } {
  return format === 'xlsx' ? { object: 'f/Sheet', sql: String.raw`\"f/Sheet\"` } : { object: 'f', sql: 'f' };
}

/** Properties, keys, a filter and a mapping of each column. */
function graphOf(matter: Matter): string {
  const { shape, late, before } = matter;
  const { object, sql } = objectOf(matter);
  const columns = late.map((_, index) => index);
  const inside = (column: number, alias: string): string =>
    ({ top: `${alias}.x${column}`, object: `${alias}.o.x${column}`, list: `${alias}.x${column}[1]` })[shape];
  const nested = columns.map((column) => `${inside(column, 'f')} AS x${column}`).join(', ');
  const joins = shape === 'top' ? '' : `, joins: "JOIN (SELECT f.n AS m, ${nested} FROM f) AS s ON s.m = f.n"`;
  const name = (column: number): string => (shape === 'top' ? `x${column}` : `s.x${column}`);
  const element = (activity: string, key: string, properties: string, where: string): string =>
    `  - { activityName: ${activity}, dataObject: ${object}, entityType: ${activity}, key: ${key}, startTimestamp: { expression: "TIMESTAMP '2024-01-01'" }${joins}, properties: [${properties}], where: "${where}" }\n`;
  const last = `${sql}.n >= ${before}`;
  const properties = columns.map((column) => `{ column: ${name(column)}, name: v${column} }`).join(', ');
  const elements = [
    element('P', 'n', properties, last),
    ...columns.map((column) => element(`K${column}`, name(column), 'n', last)),
    ...columns.map((column) => {
      const own = `(SELECT ${inside(column, 'g')} FROM ${sql} AS g WHERE g.n = ${before + 1})`;
      return element(`F${column}`, 'n', '', `${last} AND ${inside(column, sql)} = ${own}`);
    }),
  ];
  const relationships = columns.map(
    (column) =>
      `  - { name: R${column}, source: P, target: P, correlate: none, mappings: [{ source: ${name(column)}, target: ${name(column)} }] }\n`,
  );
  return graphText(elements.join(''), relationships.join(''));
}

function timesGraph(matter: Matter): string {
  const { shape, late, before } = matter;
  const { object, sql } = objectOf(matter);
  const elements = late.map((_, column) => {
    const value = { top: `f.x${column}`, object: `f.o.x${column}`, list: `f.x${column}[1]` }[shape];
    const joins =
      shape === 'top' ? '' : `, joins: "JOIN (SELECT f.n AS m, ${value} AS x${column} FROM f) AS s ON s.m = f.n"`;
    const time = shape === 'top' ? `x${column}` : `s.x${column}`;
    return `  - { activityName: T${column}, dataObject: ${object}, entityType: T${column}, key: n, startTimestamp: ${time}${joins}, where: "${sql}.n >= ${before}" }\n`;
  });
  return graphText(elements.join(''));
}

type Cells = readonly (readonly (string | null)[])[];

/** What arrived in the graph, or why the import was refused. */
async function arrived(
  matter: Matter,
  kind: 'roles' | 'times',
  content: string | Uint8Array = contentOf(matter),
): Promise<object> {
  const name = `f.${matter.format}`;
  const files = {
    [name]: content,
    'entity-sources.yaml': csvSources().replace('*.csv', name),
    'graph.entity.yaml': kind === 'roles' ? graphOf(matter) : timesGraph(matter),
  };
  return withGraph(files, async (project) => {
    const { status, error } = await project.import();
    if (status !== 'imported') return { refused: error?.message ?? '' };
    const read = async (sql: string): Promise<Cells> => (await project.rows(sql)) as Cells;
    const events = 'FROM event AS e JOIN entity ON entity.id = e.entity_id';
    if (kind === 'times') {
      return { time: await read(`SELECT substr(e.activity, 2), entity.key, CAST(e.time AS VARCHAR) ${events}`) };
    }
    const columns = matter.late.map((_, index) => index);
    const property = columns.map(
      (column) =>
        `SELECT '${column}', entity.key, CAST(p.v${column} AS VARCHAR), typeof(p.v${column}) ${events} JOIN properties_1 AS p ON p.event_id = e.id`,
    );
    const key = columns.map(
      (column) =>
        `SELECT '${column}', CAST(p.n AS VARCHAR), entity.key ${events} JOIN properties_${column + 2} AS p ON p.event_id = e.id`,
    );
    const pairs = `SELECT substr(r.relationship, 2), s.key, t.key FROM relation AS r JOIN entity AS s ON s.id = r.source_entity_id JOIN entity AS t ON t.id = r.target_entity_id`;
    return {
      property: await read(property.join(' UNION ALL ')),
      key: await read(key.join(' UNION ALL ')),
      filter: await read(`SELECT substr(e.activity, 2), entity.key ${events} WHERE e.activity LIKE 'F%'`),
      pairs: await read(pairs),
    };
  });
}

/** docs/values.md#a-value-arrives-as-it-is-or-is-refused-by-name */
describe('values of files, read by Python as well', () => {
  it('arrive as they are or are refused by name', async function () {
    this.timeout(1_800_000);
    const shapes: readonly (readonly [Format, Shape])[] = [
      ['csv', 'top'],
      ['json', 'top'],
      ['jsonl', 'object'],
      ['json', 'list'],
    ];
    const folder = await folderWith({});
    const cases: object[] = [];
    const refusals: string[] = [];
    const add = async (matter: Matter, kind: 'roles' | 'times'): Promise<void> => {
      const file = join(folder, `${cases.length}.${matter.format}`);
      await writeFile(file, contentOf(matter));
      const found = await arrived(matter, kind);
      cases.push({ ...matter, file, ...found });
      if ('refused' in found) refusals.push(String(found.refused));
    };
    try {
      for (const [format, shape] of shapes) {
        const all = format === 'csv' ? [...values, ...texts] : values;
        for (const early of all) await add({ format, shape, early, late: all, before: 1 }, 'roles');
        for (const early of times) {
          for (const late of times) await add({ format, shape, early, late: [late], before: 1 }, 'times');
        }
      }
      for (const early of ['5', '1.5', 'true', '"A-1"', ...times]) {
        for (const late of ['1.5', '"A-1"', ...times]) {
          if (early !== late) await add({ format: 'csv', shape: 'top', early, late: [late], before: 103_000 }, 'roles');
        }
      }
      for (const writer of [parquetWriter, workbookWriter]) {
        const written = await runProgram(await python(), [writer, folder]);
        assert.equal(written.code, 0, written.stderr);
        for (const { kinds, ...matter } of JSON.parse(written.stdout) as readonly WrittenMatter[]) {
          for (const kind of kinds) {
            const found = await arrived(matter, kind, await readFile(matter.file));
            cases.push({ ...matter, ...found });
            if ('refused' in found) refusals.push(String(found.refused));
          }
        }
      }
      const list = join(folder, 'cases.json');
      await writeFile(list, JSON.stringify(cases));
      const { code, stdout, stderr } = await runProgram(await python(), [program, list]);
      assert.equal(code, 0, stderr);
      const lines = stdout.trim().split('\n');
      assert.deepEqual(lines.slice(0, -1), []);
      const [, cells = '0'] = /^cells (\d+)$/.exec(lines.at(-1) ?? '') ?? [];
      assert.ok(Number(cells) >= 10_000, `${cells} cells were compared`);
      this.runnable().title += `: ${cells} cells`;
      // A refusal names the value, or the column of a type that cannot be read.
      const named =
        /column \S+ is a DECIMAL\(|"[^"]+" in (?:column )?\S+(?: is not a |,? which has digits below|,? which is not a time| has digits below| has more digits)/;
      assert.deepEqual(
        refusals.filter((refusal) => !named.test(refusal)),
        [],
      );
    } finally {
      await removeFolder(folder);
    }
  });
});
