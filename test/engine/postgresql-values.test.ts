import assert from 'node:assert/strict';
import fc from 'fast-check';
import pg from 'pg';
import { sourceSettings } from '../support/compare-engines.ts';
import { graphText, postgresqlSources, withGraph, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { soakAssert } from '../support/soak.ts';
import { oneText } from '../support/value-texts.ts';
import { type TypeCase, internalTypes, typeCases, userTypes } from './postgresql-types.ts';

/** Times without zone that are in no gap or overlap of the zones of these tests. */
const moments = [
  ...['4714-11-30 00:00:00 BC', '4713-01-01 00:00:00 BC', '0044-03-15 12:00:00.000001 BC', '0001-12-31 23:59:59 BC'],
  ...['0001-01-01 00:00:00', '1582-10-10 12:00:00.5', '1969-12-31 23:59:59.999999', '2024-07-01 00:00:00', 'infinity'],
];

const day = fc.integer({ min: -2_451_000, max: 2_932_000 });
const second = fc.integer({ min: -210_000_000_000, max: 250_000_000_000 });
const words = fc.string({
  unit: fc.constantFrom('a', 'B', ' ', ',', '"', "'", '\\', '\n', '\r', '\t', 'é', '😀', '.', '0', '1', 'N'),
});

/** Types with random values, as literals. */
const randomValues: Readonly<Record<string, { type: string; text: fc.Arbitrary<string>; form?: TypeCase['form'] }>> = {
  n: {
    type: 'numeric',
    text: fc.tuple(fc.bigInt(), fc.nat(40)).map(([digits, scale]) => `${digits}e-${scale}`),
    form: 'number',
  },
  f: { type: 'double precision', text: fc.double().map(String), form: 'float' },
  i: { type: 'bigint', text: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) },
  d: { type: 'date', text: day.map((days) => `J${2_451_545 + days}`), form: 'time' },
  t: { type: 'timestamp', text: second.map((seconds) => isoOfSeconds(seconds)), form: 'time' },
  x: { type: 'text', text: words },
  b: { type: 'bytea', text: fc.uint8Array().map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`), form: 'hex' },
  v: {
    type: 'interval',
    text: fc
      .tuple(fc.integer(), fc.integer(), fc.integer())
      .map(([m, d, s]) => `${m} months ${d} days ${s / 1e6} seconds`),
  },
  u: { type: 'uuid', text: fc.uuid() },
};

/** A timestamp as PostgreSQL reads it, from seconds since 1970. */
function isoOfSeconds(seconds: number): string {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const rest = date
    .toISOString()
    .replace(/^[+-]?\d+(?=-)/, '')
    .replace('Z', '');
  return year > 0 ? `${String(year).padStart(4, '0')}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`;
}

/** A value that an engine cannot hold, or cannot convert between zones. */
interface RefusedValue {
  readonly title: string;
  readonly type: string;
  readonly value: string;
  readonly zone?: string;
  readonly engines?: readonly string[];
  readonly error: RegExp;
}

const embeddedOnly = ['embedded'];
const latest = '294276-12-31 23:59:59.999999';

const refused: readonly RefusedValue[] = [
  {
    ...{ title: 'a timestamp later than DuckDB knows', type: 'timestamp', value: latest, engines: embeddedOnly },
    error: /^v has the value 294276-12-31 23:59:59\.999999, a timestamp without time zone that DuckDB cannot hold/,
  },
  {
    ...{
      title: 'a timestamp with zone later than that',
      type: 'timestamptz',
      value: `${latest}+00`,
      engines: embeddedOnly,
    },
    error: /v has the value 294276-12-31 23:59:59\.999999, a timestamp with time zone that DuckDB cannot hold/,
  },
  {
    ...{ title: 'a property at the end of what can be moved', type: 'timestamp', value: '294247-01-10 04:00:00' },
    ...{ zone: 'America/New_York', engines: embeddedOnly },
    error:
      /^Row 2 of "A" has "294247-01-10 04:00:00" in v, which is too far away to be read as a time in the zone America/,
  },
  {
    ...{ title: 'a property at the end of what PostgreSQL can move', type: 'timestamp', value: latest },
    ...{ zone: 'America/New_York', engines: ['source'] },
    error: /^Row 2 of "A" has "294276-12-31 23:59:59\.999999" in v, which is too far away/,
  },
  {
    ...{
      title: 'a property at the beginning',
      type: 'timestamp',
      value: '4714-11-24 00:00:00 BC',
      zone: 'Europe/Berlin',
    },
    engines: ['source'],
    error: /^Row 2 of "A" has "4714-11-24 00:00:00 BC" in v, which is too far away/,
  },
  {
    ...{ title: 'time of a date beyond the range of timestamps', type: 'date', value: '5874897-12-31' },
    error: /^Row 2 of "A" has "5874897-12-31" in v, which is too far away to be read as a time\.$/,
  },
];

const isNaive = (type: string): boolean => /^timestamp(?:\(\d\))?$/.test(type);

/** The values of a type that can be imported: near the limits, times without zone cannot be converted. */
function filterOf(type: string, timeZone: string): string {
  const isMoved = isNaive(type) && timeZone !== 'UTC';
  return isMoved ? `v BETWEEN '4714-11-26 BC' AND '294247-01-01' OR NOT isfinite(v)` : 'true';
}

/** Only times, and values that contain times, depend on the zone. */
function casesIn(timeZone: string): readonly (readonly [index: number, typeCase: TypeCase])[] {
  const all = [...typeCases.entries()];
  return timeZone === 'UTC' ? all : all.filter(([, { type }]) => /time|date|day|ts|moments|interval/.test(type));
}

/** Values as keys and as properties. */
function elementsOf(timeZone: string): string {
  const elements = casesIn(timeZone).map(([index, { type }]) => {
    const rows = `dataObject: t${index}, startTimestamp: at, where: "${filterOf(type, timeZone)}"`;
    return (
      `  - { activityName: A${index}, key: v, entityType: e${index}, properties: [id, v], ${rows} }\n` +
      `  - { activityName: B${index}, key: [id, v], entityType: f${index}, properties: [id], ${rows} }\n`
    );
  });
  return elements.join('');
}

/** A table for each type: its values by number. */
function tablesSql(cases: readonly TypeCase[]): string {
  const tables = cases.map(({ type, values }, index) => {
    const rows = values.map((value, row) => `(${row}, '2024-01-01', '${value.replaceAll("'", "''")}')`).join(', ');
    return `CREATE TABLE t${index} (id int, at timestamptz, v ${type}); INSERT INTO t${index} VALUES ${rows}, (${values.length}, '2024-01-01', NULL);`;
  });
  return tables.join('\n');
}

/** Text by number, of a type. */
type Texts = readonly (readonly [id: number, text: string | null])[];

describe('PostgreSQL values', () => {
  let server: TestPostgres;
  let database = '';

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(database, userTypes + tablesSql(typeCases));
  });

  it('every built-in type is covered', async () => {
    const rows = await server.query(
      database,
      `SELECT t.typname AS name FROM pg_type AS t WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'r', 'm') AND t.typcategory <> 'A'
       OR t.typname IN ('int2vector', 'oidvector') ORDER BY 1`,
    );
    const tried = await server.query(
      database,
      `SELECT DISTINCT t.typname AS name FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
       WHERE a.attname = 'v' AND a.attrelid::regclass::text ~ '^t[0-9]+$'`,
    );
    const names = new Set([...tried.map(({ name }) => String(name)), ...internalTypes]);
    assert.deepEqual(
      rows.map(({ name }) => String(name)).filter((name) => !names.has(name)),
      [],
    );
  });

  /** PostgreSQL's own text of the values of a type; times without zone are in the given zone. */
  const ownTexts = async ({ type, form }: TypeCase, index: number, timeZone: string): Promise<Texts> => {
    const json = `CASE WHEN format('%s', v) LIKE '[%=%' THEN format('%s', v) ELSE to_json(v)::text END`;
    const instant = isNaive(type) ? `(v AT TIME ZONE '${timeZone}')` : 'v';
    const inUtc = `CASE WHEN isfinite(v) THEN (${instant} AT TIME ZONE 'UTC')::text ELSE v::text END`;
    const isTimestamp = isNaive(type) || type === 'timestamptz';
    const text = form === 'json' ? json : isTimestamp ? inUtc : `format('%s', v)`;
    const rows = await server.query(
      database,
      `SET timezone = '${timeZone}'; SET datestyle = 'ISO'; SELECT id, ${text} AS text FROM t${index} WHERE v::text IS NOT NULL AND (${filterOf(type, timeZone)}) ORDER BY id`,
    );
    return rows.map(({ id, text: found }) => [Number(id), oneText(String(found), form)]);
  };

  const checkGraph = async (
    read: (sql: string) => Promise<readonly (readonly unknown[])[]>,
    schema: string,
    asText: (column: string) => string,
    timeZone: string,
  ): Promise<void> => {
    const wrong: unknown[] = [];
    for (const [place, [index, typeCase]] of casesIn(timeZone).entries()) {
      const own = await ownTexts(typeCase, index, timeZone);
      const texts = (rows: readonly (readonly unknown[])[], form = typeCase.form): Texts =>
        rows.map(([id, text]) => [Number(id), text === null ? null : oneText(String(text), form)]);
      // Only float keys are not compared verbatim, because both engines print floats differently.
      const keyForm = typeCase.form === 'float' ? 'float' : 'json';
      const [one, two] = [`${schema}properties_${place * 2 + 1}`, `${schema}properties_${place * 2 + 2}`];
      const keysOf = (table: string): string =>
        `SELECT p.id, entity.key FROM ${table} AS p JOIN ${schema}event AS event ON event.id = p.event_id JOIN ${schema}entity AS entity ON entity.id = event.entity_id ORDER BY 1`;
      const found = {
        properties: texts(await read(`SELECT id, ${asText('v')} FROM ${one} ORDER BY 1`)),
        keys: texts(await read(keysOf(one)), keyForm),
        composite: texts(
          (await read(keysOf(two))).map(([id, key]) => {
            const [first, text] = JSON.parse(String(key)) as readonly string[];
            assert.equal(first, String(id));
            return [id, text];
          }),
          keyForm,
        ),
      };
      try {
        assert.deepEqual(found, { properties: own, keys: own, composite: own });
      } catch (error) {
        wrong.push(`${typeCase.type}: ${(error as Error).message}`);
      }
    }
    assert.deepEqual(wrong, []);
  };

  /** Rows of the graph built inside the server. */
  const readBuilt = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
    const rows = await server.query(database, `SET timezone = 'UTC'; SET datestyle = 'ISO'; ${sql}`);
    return rows.map((row) => Object.values(row));
  };

  const filesOf = (graph: string, timeZone: string): Readonly<Record<string, string>> => ({
    'entity-sources.yaml': postgresqlSources(server, database, `, timeZone: ${timeZone}`),
    'graph.entity.yaml': graph,
  });

  for (const timeZone of ['UTC', 'America/New_York']) {
    it(`are preserved in keys and properties, with both engines › ${timeZone}`, async function () {
      this.timeout(600_000);
      const graph = graphText(elementsOf(timeZone));
      await withProject(filesOf(graph, timeZone), async (project) => {
        const embedded = await project.import();
        assert.equal(embedded.status, 'imported', JSON.stringify(embedded.error));
        await project.read((store) =>
          checkGraph(
            async (sql) => (await store.table(sql)).rows,
            '',
            (column) => `CAST(${column} AS VARCHAR)`,
            timeZone,
          ),
        );
        assert.deepEqual(
          embedded.warnings.filter((warning) => warning.includes('NaN')),
          timeZone === 'UTC'
            ? ['v has NaN, which decimals of DuckDB cannot hold: its numbers are texts in the graph.']
            : [],
        );
        await project.write({ 'graph.entity.yaml': `${graph}${sourceSettings}` });
        const source = await project.import();
        assert.equal(source.status, 'imported', JSON.stringify(source.error));
        await checkGraph(readBuilt, 'ekg.', (column) => `format('%s', ${column})`, timeZone);
      });
    });
  }

  const timeTypes = ['date', 'timestamp', 'timestamptz', 'text'];

  for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
    it(`are the times that PostgreSQL displays, also BC, with both engines › ${timeZone}`, async () => {
      const values = moments.map((moment, id) => `(${id}, '${moment}')`).join(', ');
      const expected = new Map<string, readonly (readonly unknown[])[]>();
      for (const type of timeTypes) {
        const table = `instants_${type}`;
        await server.query(
          database,
          `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (id int PRIMARY KEY, at ${type}); INSERT INTO ${table} VALUES ${values}`,
        );
        const instant = type === 'timestamptz' ? 'at' : `at::timestamp AT TIME ZONE '${timeZone}'`;
        const own = (
          await readBuilt(
            `SET timezone = '${timeZone}'; SELECT id::text, ((${instant}) AT TIME ZONE 'UTC')::text FROM ${table} WHERE isfinite(at::timestamp) ORDER BY id`,
          )
        ).map(([key, time]) => [key, oneText(String(time), 'time')]);
        assert.equal(own.length, moments.length - 1);
        expected.set(table, own);
      }
      const tables = [...expected.keys()];
      const graph = graphText(
        tables.map((table) => `  - { activityName: ${table}, dataObject: ${table}, startTimestamp: at }\n`).join(''),
      );
      const expectTimes = async (
        read: (sql: string) => Promise<readonly (readonly unknown[])[]>,
        schema: string,
      ): Promise<void> => {
        for (const [table, own] of expected) {
          const rows = await read(
            `SELECT entity.key, CAST(event.time AS VARCHAR) AS time FROM ${schema}event AS event JOIN ${schema}entity AS entity ON entity.id = event.entity_id WHERE entity.entity_type = '${table}' ORDER BY CAST(entity.key AS INTEGER)`,
          );
          const found = rows.map(([key, time]) => [key, oneText(String(time), 'time')]);
          assert.deepEqual(found, own, table);
        }
      };
      await withProject(filesOf(graph, timeZone), async (project) => {
        const embedded = await project.import();
        assert.equal(embedded.status, 'imported', JSON.stringify(embedded.error));
        await expectTimes((sql) => project.rows(sql), '');
        await project.write({ 'graph.entity.yaml': `${graph}${sourceSettings}` });
        const source = await project.import();
        assert.equal(source.status, 'imported', JSON.stringify(source.error));
        await expectTimes(readBuilt, 'ekg.');
      });
    });
  }

  for (const { title, type, value, zone = 'UTC', engines = ['embedded', 'source'], error } of refused) {
    for (const engine of engines) {
      it(`are refused by name › ${title}, engine: ${engine}`, async () => {
        await server.query(
          database,
          `DROP TABLE IF EXISTS far; CREATE TABLE far (id int PRIMARY KEY, at timestamptz, v ${type}); INSERT INTO far VALUES (1, '2024-01-01', NULL), (2, '2024-01-01', '${value}')`,
        );
        const isRole = title.startsWith('time');
        const graph = graphText(
          `  - { activityName: A, dataObject: far, startTimestamp: ${isRole ? 'v' : 'at'}, properties: [v] }\n`,
        );
        const text = engine === 'source' ? graph + sourceSettings : graph;
        await withProject(filesOf(text, zone), async (project) => {
          const summary = await project.import();
          assert.deepEqual([summary.status, summary.error?.code], ['failed', 'type-mismatch'], summary.error?.message);
          assert.match(summary.error?.message ?? '', error);
          assert.match(summary.error?.remedy ?? '', /where/);
        });
      });
    }
  }

  it('of numeric columns without precision, and of sums of decimals, are numbers with both engines', async () => {
    await server.query(
      database,
      `DROP TABLE IF EXISTS sums; CREATE TABLE sums (id int PRIMARY KEY, at timestamptz, n numeric, price numeric(20,2), amount numeric(20,0));
      INSERT INTO sums VALUES (1, '2024-01-01', 9, 1.25, 2), (2, '2024-01-01', 10.5, 9.5, 10), (3, '2024-01-01', NULL, NULL, NULL)`,
    );
    const joins = 'JOIN (SELECT id AS of, sum(price * amount) AS total FROM sums GROUP BY id) AS s ON s.of = sums.id';
    const graph = graphText(
      `  - { activityName: A, dataObject: sums, key: id, startTimestamp: at, joins: ${JSON.stringify(joins)}, properties: [n, s.total] }\n`,
    );
    const expected = [['10.5', '95']];
    const larger = (schema: string): string =>
      `SELECT CAST(n AS DECIMAL(9, 1)), CAST("s.total" AS DECIMAL(9, 0)) FROM ${schema}properties_1 WHERE n > 9.5 AND "s.total" > 9`;
    await withProject(filesOf(graph, 'UTC'), async (project) => {
      const embedded = await project.import();
      assert.deepEqual([embedded.error, embedded.warnings], [undefined, []]);
      assert.deepEqual(await project.rows('SELECT DISTINCT typeof(n), typeof("s.total") FROM properties_1'), [
        ['DECIMAL(38,1)', 'DECIMAL(38,1)'],
      ]);
      assert.deepEqual(
        (await project.rows(larger(''))).map((row) => row.map(String)),
        expected,
      );
      await project.write({ 'graph.entity.yaml': `${graph}${sourceSettings}` });
      const source = await project.import();
      assert.deepEqual([source.error, source.warnings], [undefined, []]);
      assert.deepEqual(
        (await readBuilt(larger('ekg.'))).map((row) => row.map(String)),
        expected,
      );
    });
  });

  it('of random content are preserved', async function () {
    this.timeout(600_000);
    const names = Object.keys(randomValues);
    const rows = fc.array(fc.tuple(...Object.values(randomValues).map(({ text }) => text)), {
      minLength: 1,
      maxLength: 40,
    });
    await soakAssert(
      fc.asyncProperty(rows, async (all) => {
        const types = Object.values(randomValues).map(({ type }, index) => `${names[index]} ${type}`);
        const literals = all.map(
          (row, id) => `(${[id, ...row.map((text) => pg.escapeLiteral(text))].join(', ')}, '2024-01-01')`,
        );
        await server.query(
          database,
          `DROP TABLE IF EXISTS random; CREATE TABLE random (id int, ${types.join(', ')}, at timestamptz); INSERT INTO random VALUES ${literals.join(', ')}`,
        );
        const list = names.map((name) => `format('%s', ${name}) AS ${name}`).join(', ');
        const own = await server.query(
          database,
          `SET timezone = 'UTC'; SET datestyle = 'ISO'; SELECT id, ${list} FROM random ORDER BY id`,
        );
        const elements = names.map(
          (name) =>
            `  - { activityName: ${name}, dataObject: random, key: [id, ${name}], entityType: ${name}, startTimestamp: at, properties: [id, ${name}] }\n`,
        );
        await withGraph(filesOf(graphText(elements.join('')), 'UTC'), async (project) => {
          const { error, warnings = [] } = await project.import();
          const said =
            'n is a numeric with numbers of more than 38 digits, which are texts in the graph: CAST it to a DECIMAL of 38 digits to compare numbers.';
          // Texts of keys may be empty, which is noted.
          const isOther = (text: string): boolean => text !== said && !text.includes('have an empty text in their key');
          assert.deepEqual([error, warnings.filter(isOther)], [undefined, []]);
          const stored = await project.rowsOfAll(
            names.map(
              (name, index) =>
                `SELECT p.id, CAST(p.${name} AS VARCHAR), entity.key FROM properties_${index + 1} AS p JOIN event ON event.id = p.event_id JOIN entity ON entity.id = event.entity_id ORDER BY 1`,
            ),
          );
          for (const [index, name] of names.entries()) {
            const form = randomValues[name]?.form;
            const texts = (stored[index] ?? []).map(([id, text, key]) => {
              const [first, second] = JSON.parse(String(key)) as readonly string[];
              return [id, oneText(String(text), form), first, oneText(String(second), form)];
            });
            const expected = own.map((row) => {
              const text = oneText(String(row[name]), form);
              return [row['id'], text, String(row['id']), text];
            });
            assert.deepEqual(texts, expected, name);
          }
        });
      }),
      1,
    );
  });
});
