import assert from 'node:assert/strict';
import type { Catalog, Column } from '../../../server/src/catalog/catalog.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import {
  type DuckDbValidator,
  openDuckDbValidator,
} from '../../../server/src/operations/validation/duckdb-validator.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import { withRanges } from './marked-text.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

const catalog: Catalog = {
  ...shop,
  objects: shop.objects.map((object) =>
    object.name === 'customers'
      ? {
          ...object,
          columns: [
            ...object.columns,
            { name: 'Full Name', type: 'text', sense: 'text', nullable: true, primaryKey: false },
          ],
        }
      : object,
  ),
};

/** The same tables as files. */
const files: Catalog = {
  ...catalog,
  dataSource: 'files',
  kind: 'csv',
  dialect: 'duckdb',
  objects: catalog.objects.map((object) => ({ ...object, path: [object.name] })),
};

const order = (lines: string): string =>
  `version: 1\ndataSource: shop\nelements:\n  - activityName: A\n    dataObject: orders\n    key: id\n    startTimestamp: placed_at\n${lines}`;
const joined = '    joins: LEFT JOIN customers AS c ON c.id = orders.customer_id\n';
const related = (expression: string, more = ''): string =>
  `${order(joined)}relationships: [{ source: A, target: A, mappings: [{ expression: ${expression} }]${more} }]\n`;
const cross =
  ', crossTable: { dataObject: customers, sourceMappings: [{ source: id, cross: id }], targetMappings: [{ cross: id, target: id }] }';

type Case = readonly [marked: string, code: string, message: RegExp, mended?: string];

/** Mistakes found alike by both dialects; the last entry is the text at the place after the quick fix. */
const mistakes: readonly Case[] = [
  [order('    where: ‹|notes|› IS NULL\n'), 'unknown-column', /"notes" is not a column.*"note"\?/, 'note'],
  [order('    where: orders.‹|nte|› IS NULL\n'), 'unknown-column', /"nte".*"note"/, 'note'],
  [order('    where: ‹|ordrs|›.id = 1\n'), 'unknown-alias', /"ordrs" is not a table or alias.*"orders"/, 'orders'],
  [order('    where: |\n      note IS NULL\n      AND ‹|customr_id|› > 1\n'), 'unknown-column', /"customer_id"/],
  [order('    where: >\n      note IS NULL\n      AND\n      ‹|customr_id|› > 1\n'), 'unknown-column', /"customer_id"/],
  [order('    where: "note = \'\\u00e4\' AND ‹|idd|› = 1"\n'), 'unknown-column', /"id"/, 'id'],
  [order("    where: 'note = ''x'' AND ‹|idd|› = 1'\n"), 'unknown-column', /"id"/, 'id'],
  [order("    where: note = '😀' AND ‹|idd|› = 1\n"), 'unknown-column', /"id"/],
  [order('    joins: JOIN customers c ON c.‹|idd|› = orders.id\n'), 'unknown-column', /"idd"/],
  [order(`${joined}    where: c.‹|nam|› = 'x'\n`), 'unknown-column', /"name"/],
  [order(`${joined}    where: |\n      c.‹|FullName|› = 'x'\n`), 'unknown-column', /Full Name/i, '"Full Name"'],
  [order('    joins: JOIN ‹|custmers|› c ON c.id = orders.id\n'), 'unknown-data-object', /"customers"\?/, 'customers'],
  [
    order('    where: EXISTS (SELECT 1 FROM customers c WHERE c.id = orders.‹|custmer_id|›)\n'),
    'unknown-column',
    /"customer_id"/,
  ],
  [related('source.‹|idd|› = target.id'), 'unknown-column', /"idd"/],
  [related('‹|sorce|›.id = target.id'), 'unknown-alias', /"source"/],
  [order('    where: note = ‹|"a b"|› AND id > 1\n'), 'unknown-column', /a text is written in single quotes/, "'a b'"],
  [order('    where: note like ‹|"a%"|›\n'), 'unknown-column', /single quotes: 'a%'/, "'a%'"],
  [order(`    where: 'id > 1 AND note <> ‹|"a b"|›'\n`), 'unknown-column', /single quotes/, "''a b''"],
  [order('    where: "note = ‹|\\"a b\\"|› AND id > 1"\n'), 'unknown-column', /single quotes/, "'a b'"],
  [order(`    where: |\n      note IN ('x', ‹|"a b"|›)\n`), 'unknown-column', /single quotes/, "'a b'"],
  [order(`    where: note = ‹|"nte"|›\n`), 'unknown-column', /Did you mean "note"/, 'note'],
  [related('source.id = cross.‹|idd|› AND cross.id = target.id', cross), 'unknown-column', /"idd"/],
];

/** SQL in which every name is resolved. */
const right: readonly string[] = [
  order("    where: lower(note) = 'x' AND id IN (SELECT c.id FROM customers c WHERE c.since > orders.placed_at)\n"),
  order('    where: orders IS NOT NULL\n'),
  order(`${joined}    where: c."Full Name" = 'x' AND since > DATE '2020-01-01'\n`),
  order('    where: id IN (WITH q AS (SELECT id AS one FROM customers) SELECT one FROM q WHERE q.one > orders.id)\n'),
  order(
    '    where: id IN (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r)\n',
  ),
  order(
    '    joins: |\n      LEFT JOIN LATERAL (SELECT count(*) AS n, max(since) AS last FROM customers c WHERE c.id = orders.customer_id) s ON true\n    where: s.n > 1 AND last IS NOT NULL\n',
  ),
  order('    joins: JOIN (VALUES (1, 2)) AS v (a, b) ON v.a = orders.id\n    where: b = 2\n'),
  order('    joins: CROSS JOIN generate_series(1, 3) AS g (i)\n    where: i = 1 AND g.i < 3\n'),
  order('    joins: JOIN customers USING (id)\n    where: since IS NULL\n'),
  order('    where: (SELECT count(*) AS n FROM customers GROUP BY name HAVING count(*) > 1 ORDER BY n LIMIT 1) > 0\n'),
  order('    where: id IN (SELECT id FROM customers UNION SELECT customer_id FROM orders ORDER BY id)\n'),
  order('    where: CASE WHEN note IS NULL THEN true ELSE placed_at > now() END\n'),
  order("    where: ORDERS.Id = 1 AND \"note\" LIKE '%' AND CAST(id AS text) <> 'x'\n"),
  order('    joins: -- nothing but a comment\n'),
  related('source.id = target.customer_id AND lower(source.note) = lower(target.note)'),
  related('\'source."c.name" = target."c.name"\''),
  related('cross.id = source.id AND target.id = cross.id', cross),
];

/** Constructs that only PostgreSQL has. */
const rightInPostgresql: readonly string[] = [
  order("    where: orders.ctid IS NOT NULL AND note ~ '^x' AND (SELECT row_to_json(orders)) IS NOT NULL\n"),
  order('    where: id IN (SELECT oid FROM pg_class)\n'),
  order('    joins: JOIN archive.old_orders o ON o.anything = orders.id\n    where: something_of_it = 1\n'),
  order("    joins: JOIN json_to_recordset('[]') AS j (a int, b text) ON j.a = orders.id\n    where: b IS NULL\n"),
];

const rightInDuckdb: readonly string[] = [
  order('    where: len(list_filter([1, 2], lambda x: x > id)) > 1\n'),
  order("    where: regexp_matches(note, 'x') AND placed_at::DATE = shipped_on\n"),
];

describe('names in custom SQL', () => {
  let postgresql: SqlValidator;
  let duckdb: DuckDbValidator;
  before(async () => {
    postgresql = await loadPostgresqlValidator();
    duckdb = openDuckDbValidator();
  });
  after(() => duckdb.close());

  const inPostgresql = (text: string, known: Catalog = catalog): readonly Problem[] =>
    validateEntityGraph({ text, sources, catalog: known, sqlValidator: postgresql });

  async function inDuckdb(text: string, catalogOfFiles: Catalog = files): Promise<readonly Problem[]> {
    const known = { text, sources, catalog: catalogOfFiles, sqlValidator: duckdb.validator };
    let problems = validateEntityGraph(known);
    while (duckdb.isPending()) {
      await duckdb.answered();
      problems = validateEntityGraph(known);
    }
    return problems;
  }

  function check(marked: string, problems: readonly Problem[], [, code, message, mended]: Case, known: Catalog): void {
    const { text, ranges } = withRanges(marked);
    assert.deepEqual(
      problems.map((problem) => problem.code),
      [code],
      JSON.stringify(problems),
    );
    const [problem] = problems;
    assert.ok(problem);
    const [range] = ranges;
    assert.deepEqual(problem.range, range, text.slice(problem.range.start, problem.range.end));
    assert.match(problem.message, message);
    if (mended === undefined) return;
    const parsed = parseEntityGraph(text);
    const [fix] = fixesOf(problem, { parsed, catalog: known });
    const expected = text.slice(0, range?.start) + mended + text.slice(range?.end);
    assert.equal(applyEdits(text, fix?.edits ?? []), expected);
  }

  for (const each of mistakes) {
    const [marked] = each;
    it(`PostgreSQL: ${marked.slice(marked.indexOf('placed_at') + 10).trim()}`, () => {
      check(marked, inPostgresql(withRanges(marked).text), each, catalog);
    });
    it(`DuckDB: ${marked.slice(marked.indexOf('placed_at') + 10).trim()}`, async () => {
      check(marked, await inDuckdb(withRanges(marked).text), each, files);
    });
  }

  it('DuckDB: fields of JSON objects', async () => {
    const fields = {
      name: 'fields',
      type: 'STRUCT("state" VARCHAR)',
      sense: 'other',
      nullable: true,
      primaryKey: false,
    };
    const withObjects: Catalog = {
      ...files,
      objects: files.objects.map((object) => ({ ...object, columns: [...object.columns, fields as Column] })),
    };
    const marked = order("    where: orders.fields.‹|stat|› = 'x'\n");
    const said = /"stat" is not a column.*"state"/;
    check(
      marked,
      await inDuckdb(withRanges(marked).text, withObjects),
      [marked, 'unknown-column', said, 'state'],
      files,
    );
    quiet(await inDuckdb(order("    where: orders.fields.state = 'x'\n"), withObjects));
  });

  const quiet = (problems: readonly Problem[]): void =>
    assert.deepEqual(
      problems.filter(({ code }) => /^sql|^unknown/.test(code)),
      [],
    );
  for (const text of [...right, ...rightInPostgresql])
    it(`PostgreSQL: no problem for ${text.slice(text.indexOf('placed_at') + 10).trim()}`, () =>
      quiet(inPostgresql(text)));
  for (const text of [...right, ...rightInDuckdb])
    it(`DuckDB: no problem for ${text.slice(text.indexOf('placed_at') + 10).trim()}`, async () =>
      quiet(await inDuckdb(text)));

  it('resolve to a relationship end before a table of the same name', async () => {
    const named = (known: Catalog): Catalog => ({
      ...known,
      objects: ['source', 'target'].reduce<Catalog['objects']>((objects, name) => {
        const [like] = known.objects;
        assert.ok(like);
        const own = { ...like, name, path: [...like.path.slice(0, -1), name], columns: like.columns.slice(-1) };
        return [...objects, own];
      }, known.objects),
    });
    const text = related('source.id = target.id');
    quiet(inPostgresql(text, named(catalog)));
    quiet(await inDuckdb(text, named(files)));
  });

  it('a function unknown to DuckDB is reported', async () => {
    const [problem, ...others] = await inDuckdb(order("    where: lowercase(note) = 'x'\n"));
    assert.equal(problem?.code, 'sql-error');
    assert.match(problem.message, /lowercase does not exist/);
    assert.deepEqual(others, []);
  });

  it('a quick fix replaces a function unknown to DuckDB', async () => {
    const { text, ranges } = withRanges(order("    where: ‹|lowr|›(note) = 'x'\n"));
    const [problem] = await inDuckdb(text);
    assert.deepEqual([problem?.range, problem?.suggestions], [ranges[0], ['lower']]);
  });

  for (const [marked, mended] of [
    ['id ‹|==|› 5', 'id = 5'],
    ["note = '==' AND id‹|==|›5", "note = '==' AND id=5"],
    ['id === 5', undefined],
    ["note = 'a == b' -- ==", undefined],
  ] as const) {
    it(`"==" is reported in PostgreSQL, which has no such operator: ${marked}`, () => {
      const { text, ranges } = withRanges(order(`    where: |\n      ${marked}\n`));
      const problems = inPostgresql(text);
      assert.deepEqual(
        problems.map(({ code, range }) => [code, range]),
        ranges.map((range) => ['sql-error', range]),
      );
      const parsed = parseEntityGraph(text);
      const edits = problems.flatMap((each) => fixesOf(each, { parsed, catalog })[0]?.edits ?? []);
      assert.equal(applyEdits(text, edits), order(`    where: |\n      ${mended ?? marked}\n`));
    });
  }

  it('"==" is valid in DuckDB', async () => quiet(await inDuckdb(order('    where: id == 5\n'))));

  for (const [name, where, mended] of [
    ['WHERE at the start', ' WHERE id > 5', ' id > 5'],
    ['where in quotes', ` 'where "note" IS NULL'`, ` '"note" IS NULL'`],
    ['WHERE on a line of its own', ' |\n      WHERE\n      id > 5', ' |\n      id > 5'],
    ['AND at the end', ' id > 5 AND', ' id > 5'],
    ['OR at the end of a line', ' |\n      id > 5\n      or', ' |\n      id > 5'],
    ['a WHERE that keeps YAML from reading a quote', ' WHERE "note" IS NULL', undefined],
    ['nothing but WHERE', ' WHERE', undefined],
  ] as const) {
    it(`a quick fix removes the surplus: ${name}`, async () => {
      const text = order(`    where:${where}\n`);
      for (const [problems, known] of [
        [inPostgresql(text), catalog],
        [await inDuckdb(text), files],
      ] as const) {
        assert.deepEqual(
          problems.map(({ code }) => code),
          ['sql-syntax'],
        );
        const parsed = parseEntityGraph(text);
        const fixes = problems.flatMap((each) => fixesOf(each, { parsed, catalog: known }));
        const after = fixes.slice(0, 1).map(({ edits }) => applyEdits(text, edits));
        assert.deepEqual(after, mended === undefined ? [] : [order(`    where:${mended}\n`)]);
      }
    });
  }

  it('no fix is offered that needs quotes inside a quoted scalar', () => {
    const [problem] = inPostgresql(order(`${joined}    where: "c.FullName = 'x'"\n`));
    assert.equal(problem?.code, 'unknown-column');
    assert.equal(problem.suggestions, undefined);
  });

  it('are validated where the columns are known, though the table list is not', () => {
    const incomplete = { ...catalog, complete: false };
    const problems = inPostgresql(order('    where: nothing_of_this = 1\n'), incomplete);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['unknown-column'],
    );
    quiet(inPostgresql(order('    where: id IN (SELECT x FROM not_listed)\n'), incomplete));
  });

  it('are not validated while the columns are unknown', () => {
    const text = order('    where: nothing_of_this = 1\n');
    quiet(inPostgresql(text, { ...catalog, objects: catalog.objects.map((each) => ({ ...each, columns: [] })) }));
    const unknownJoin = order('    joins: JOIN customers c ON true\n    where: nothing_of_this = 1\n');
    const [orders, customers] = catalog.objects;
    assert.ok(orders && customers);
    quiet(inPostgresql(unknownJoin, { ...catalog, objects: [orders, { ...customers, columns: [] }] }));
  });
});
