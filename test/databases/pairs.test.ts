import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { sourceSettings } from '../support/compare-engines.ts';
import { graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';

/** Makes the tables; returns the sources file. */
type Prepare = (folder: string, statements: readonly string[], settings?: string) => Promise<string>;

const postgresql: Prepare = async (_folder, statements, more = '') => {
  const server = await sharedPostgres();
  const database = await server.createDatabase();
  await server.query(database, statements.join(';'));
  return postgresqlSources(server, database, more);
};

const mysql: Prepare = async (_folder, statements, more = '') => {
  const server = await sharedMariadb();
  const database = await server.createDatabase();
  await server.query(database, ["SET sql_mode = ''", ...statements].join(';'));
  const { host, port, user, password } = server;
  return `version: 1\ndataSources:\n  shop: { kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password}${more} }\n`;
};

const sqlite: Prepare = async (folder, statements, more = '') => {
  createSqliteFile(join(folder, 'shop.sqlite'), statements.join(';'));
  return `version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite${more} }\n`;
};

const duckdb: Prepare = async (folder, statements, more = '') => {
  await createDuckdbFile(join(folder, 'shop.duckdb'), statements);
  return `version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb${more} }\n`;
};

const kinds: Readonly<Record<string, Prepare>> = {
  postgresql,
  mysql,
  sqlite,
  duckdb,
};

const table = (name: string, type: string, values: readonly string[]): string[] => [
  `CREATE TABLE ${name} (id INTEGER, v ${type}, day DATE)`,
  `INSERT INTO ${name} VALUES ${values.map((value, index) => `(${index}, ${value}, '2024-01-01')`).join(', ')}`,
];

const element = (name: string): string =>
  `  - { activityName: ${name}, dataObject: ${name}, entityType: ${name}, key: id, startTimestamp: day, properties: [] }\n`;

const mapping = (left: string, right: string, operator: string): string =>
  `  - { name: "${left} ${operator} ${right}", source: ${left}, target: ${right}, correlate: none, mappings: [{ source: v, operator: "${operator}", target: v }] }\n`;

interface Case {
  readonly statements: readonly string[];
  readonly names: readonly string[];
  readonly mappings: readonly (readonly [left: string, operator: string, right: string])[];
  readonly settings?: string;
}

const pairsSql = `SELECT r.relationship, s.key, t.key FROM relation AS r
  JOIN entity AS s ON s.id = r.source_entity_id JOIN entity AS t ON t.id = r.target_entity_id ORDER BY ALL`;

/** Pairs of ids as `left|right` by relationship; of PostgreSQL, both engines make the same graph. */
async function pairsOf(kind: string, given: Case): Promise<Readonly<Record<string, readonly string[]>>> {
  const prepare = kinds[kind];
  assert.ok(prepare);
  const elements = given.names.map(element).join('');
  const mappings = given.mappings.map(([left, operator, right]) => mapping(left, right, operator)).join('');
  const graph = graphText(elements, mappings);
  return withProject({ 'graph.entity.yaml': graph }, async (project) => {
    await project.write({ 'entity-sources.yaml': await prepare(project.folder, given.statements, given.settings) });
    const { status, error } = await project.import();
    assert.equal(status, 'imported', error?.message);
    const rows = await project.rows(pairsSql);
    if (kind === 'postgresql') {
      await project.write({ 'graph.entity.yaml': `${graph}${sourceSettings}` });
      const built = await project.import();
      assert.equal(built.status, 'imported', built.error?.message);
      const fetched = await project.import({ request: { kind: 'fetch' } });
      assert.equal(fetched.status, 'imported', fetched.error?.message);
      assert.deepEqual(await project.rows(pairsSql), rows);
    }
    return Object.fromEntries(
      given.mappings.map(([left, operator, right]) => {
        const name = `${left} ${operator} ${right}`;
        return [name, rows.filter(([found]) => found === name).map(([, one, other]) => `${one}|${other}`)];
      }),
    );
  });
}

/** docs/semantics.md#112-unlike-types */
describe('pairs are of the values that the graph has', () => {
  const whole = ['9007199254740993', '9007199254740992', '5', '0', '-9007199254740993'];
  const decimal = ['0.10', '5.00', '9007199254740993.00', '0.25'];
  const double = ['9007199254740992', '5', '0.1', '-0.0', '-9007199254740992', '1e300', '0.25', '1e-7'];
  /** Hundredths, in which all of these but the last two are whole. */
  const hundredths = (text: string): bigint => {
    if (text === '1e300') return 10n ** 302n;
    if (text === '1e-7') return 0n;
    const [digits = '', fraction = ''] = text.split('.');
    const sign = digits.startsWith('-') ? -1n : 1n;
    return BigInt(digits) * 100n + sign * BigInt(fraction.padEnd(2, '0').slice(0, 2));
  };
  const compare = (left: string, operator: string, right: string): boolean => {
    const difference = hundredths(left) - hundredths(right);
    const isTiny = difference === 0n && (left === '1e-7') !== (right === '1e-7');
    const sign = isTiny ? (left === '1e-7' ? 1 : -1) : difference > 0n ? 1 : difference < 0n ? -1 : 0;
    if (operator === '=') return sign === 0;
    if (operator === '!=') return sign !== 0;
    return operator === '<' ? sign < 0 : sign >= 0;
  };
  const operators = ['=', '!=', '<', '>='] as const;

  for (const kind of Object.keys(kinds)) {
    it(`${kind} › numbers are compared by their values, not rounded to floating-point numbers`, async () => {
      const doubleType = kind === 'mysql' ? 'DOUBLE' : 'DOUBLE PRECISION';
      const columns: Readonly<Record<string, readonly string[]>> = {
        whole,
        ...(kind !== 'sqlite' && { digits: decimal }),
        floating: double,
      };
      const type: Readonly<Record<string, string>> = {
        whole: 'BIGINT',
        digits: 'DECIMAL(20,2)',
        floating: kind === 'duckdb' ? 'DOUBLE' : doubleType,
      };
      const names = Object.keys(columns);
      const mappings = names
        .flatMap((left) => names.map((right) => [left, right] as const))
        .flatMap(([left, right]) => operators.map((operator) => [left, operator, right] as const));
      const found = await pairsOf(kind, {
        names,
        mappings,
        statements: names.flatMap((name) => table(name, type[name] ?? '', columns[name] ?? [])),
      });
      const expected = mappings.map(([left, operator, right]) => {
        const [ones, others] = [columns[left] ?? [], columns[right] ?? []];
        const pairs = ones.flatMap((one, i) =>
          others.flatMap((other, j) => (compare(one, operator, other) ? [`${i}|${j}`] : [])),
        );
        return [`${left} ${operator} ${right}`, pairs];
      });
      assert.deepEqual(found, Object.fromEntries(expected));
    });
  }

  describe('times in Europe/Berlin', () => {
    /** Local times and the instants that they are; the second and third are of the overlap, the fourth of the gap. */
    const local = [
      ['2024-07-01 10:00:00', '2024-07-01T08:00Z'],
      ['2024-10-27 02:30:00', '2024-10-27T00:30Z'],
      ['2024-10-27 03:30:00', '2024-10-27T02:30Z'],
      ['2024-03-31 02:30:00', '2024-03-31T01:30Z'],
      ['2024-01-02 00:00:00', '2024-01-01T23:00Z'],
      ['1999-12-31 23:59:59', '1999-12-31T22:59:59Z'],
    ] as const;
    const days = [
      ['2024-01-02', '2024-01-01T23:00Z'],
      ['2024-07-01', '2024-06-30T22:00Z'],
    ] as const;
    const zoned = [
      ...['2024-07-01T08:00Z', '2024-10-27T00:30Z', '2024-10-27T01:30Z', '2024-10-27T02:30Z', '2024-03-31T01:30Z'],
      ...['2024-01-01T23:00Z', '2024-06-30T22:00Z', '1999-12-31T22:59:59Z'],
    ];
    const quoted = (text: string): string => `'${text}'`;
    const iso = (text: string): string => new Date(text).toISOString().slice(0, 19).replace('T', ' ');
    const types: Readonly<Record<string, readonly [local: string, zoned: string, suffix: string]>> = {
      postgresql: ['timestamp', 'timestamptz', '+00'],
      mysql: ['datetime(6)', 'timestamp(6)', ''],
      sqlite: ['TEXT', 'TEXT', 'Z'],
      duckdb: ['TIMESTAMP', 'TIMESTAMPTZ', '+00'],
    };
    for (const [kind, [plain, withZone, suffix]] of Object.entries(types)) {
      it(`${kind} › a time without zone pairs with the instant that it is in the graph`, async () => {
        const values: Readonly<Record<string, readonly string[]>> = {
          plain: local.map(([, instant]) => instant),
          days: days.map(([, instant]) => instant),
          zoned,
        };
        const mappings = (['plain', 'days'] as const).flatMap((name) =>
          (['=', '<'] as const).flatMap((operator) => [
            [name, operator, 'zoned'] as const,
            ['zoned', operator, name] as const,
          ]),
        );
        const found = await pairsOf(kind, {
          names: ['plain', 'days', 'zoned'],
          mappings,
          settings: ', timeZone: Europe/Berlin',
          statements: [
            ...(kind === 'mysql' ? ["SET time_zone = '+00:00'"] : []),
            ...table(
              'plain',
              plain,
              local.map(([text]) => quoted(text)),
            ),
            ...table(
              'days',
              'DATE',
              days.map(([text]) => quoted(text)),
            ),
            ...table(
              'zoned',
              withZone,
              zoned.map((text) => quoted(`${iso(text)}${suffix}`)),
            ),
          ],
        });
        const expected = mappings.map(([left, operator, right]) => {
          const pairs = (values[left] ?? []).flatMap((one, i) =>
            (values[right] ?? []).flatMap((other, j) => {
              const [first, second] = [Date.parse(one), Date.parse(other)];
              return (operator === '=' ? first === second : first < second) ? [`${i}|${j}`] : [];
            }),
          );
          return [`${left} ${operator} ${right}`, pairs];
        });
        assert.deepEqual(found, Object.fromEntries(expected));
      });
    }
  });

  it('mysql › dates that are no days are missing in pairs, as they are in the graph', async () => {
    const values = ["'0000-00-00'", "'2024-00-10'", "'2024-01-00'", "'2024-01-01'"];
    const found = await pairsOf('mysql', {
      names: ['one', 'other'],
      mappings: [
        ['one', '=', 'other'],
        ['one', '<=', 'other'],
        ['one', '!=', 'other'],
      ],
      statements: [...table('one', 'DATE', values), ...table('other', 'DATETIME', values)],
    });
    assert.deepEqual(found, { 'one = other': ['3|3'], 'one <= other': ['3|3'], 'one != other': [] });
  });

  it('mysql › two emoji are two texts, and a blank at the end counts', async () => {
    const values = ["'😀'", "'😁'", "'a'", "'a '"];
    const type = 'varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci';
    const found = await pairsOf('mysql', {
      names: ['one', 'other'],
      mappings: [['one', '=', 'other']],
      statements: [...table('one', type, values), ...table('other', type, values)],
    });
    assert.deepEqual(found, { 'one = other': ['0|0', '1|1', '2|2', '3|3'] });
  });

  it('postgresql › collations do not decide about pairs, nor do two of them stop an import', async () => {
    const values = ["'a'", "'A'", "'ä'", "'b'"];
    const found = await pairsOf('postgresql', {
      names: ['one', 'other', 'plain'],
      mappings: [
        ['one', '=', 'other'],
        ['one', '=', 'one'],
        ['one', '<', 'plain'],
        ['plain', '<', 'plain'],
        ['plain', '!=', 'one'],
      ],
      statements: [
        "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        ...table('one', 'text COLLATE loose', values),
        ...table('other', 'varchar(5) COLLATE "de-x-icu"', values),
        ...table('plain', 'text', values),
      ],
    });
    const order = ['A', 'a', 'b', 'ä'];
    const less = ['a', 'A', 'ä', 'b'].flatMap((left, i) =>
      ['a', 'A', 'ä', 'b'].flatMap((right, j) => (order.indexOf(left) < order.indexOf(right) ? [`${i}|${j}`] : [])),
    );
    const same = ['0|0', '1|1', '2|2', '3|3'];
    const unlike = values.flatMap((_, i) => values.flatMap((__, j) => (i === j ? [] : [`${i}|${j}`])));
    assert.deepEqual(found, {
      'one = other': same,
      'one = one': same,
      'one < plain': less,
      'plain < plain': less,
      'plain != one': unlike,
    });
  });

  const structures: Readonly<Record<string, readonly (readonly [type: string, other: string, ...values: string[]])[]>> =
    {
      postgresql: [
        ['json', 'json', `'{"a":1}'`, `'{"a":2}'`],
        ['jsonb', 'jsonb', "'1'", "'2'"],
        ['interval', 'interval', "'1 day'", "'24:00:00'"],
        ['uuid', 'text', "'6f9619ff-8b86-d011-b42d-00c04fc964ff'"],
        ['numeric[]', 'numeric[]', "'{1}'", "'{1.0}'"],
      ],
      duckdb: [
        ['JSON', 'JSON', `'{"a":1}'`, `'{"a":2}'`],
        ['INTERVAL', 'INTERVAL', "'1 day'", "'24:00:00'"],
        ['UUID', 'VARCHAR', "'6f9619ff-8b86-d011-b42d-00c04fc964ff'"],
      ],
    };
  for (const [kind, types] of Object.entries(structures)) {
    it(`${kind} › other values are compared by their canonical texts`, async () => {
      const found = await pairsOf(kind, {
        names: types.flatMap((_, index) => [`a${index}`, `b${index}`]),
        mappings: types.map((_, index) => [`a${index}`, '=', `b${index}`] as const),
        statements: types.flatMap(([one, other, ...values], index) => [
          ...table(`a${index}`, one, values),
          ...table(`b${index}`, other, values),
        ]),
      });
      const expected = types.map(([, , ...values], index) => [
        `a${index} = b${index}`,
        values.map((_, place) => `${place}|${place}`),
      ]);
      assert.deepEqual(found, Object.fromEntries(expected));
    });
  }

  it('across data sources › numbers are compared by their values', async () => {
    const given = {
      whole: ['BIGINT', '9007199254740993', '9007199254740992', '5', '0', '1152921504606846976'],
      digits: ['DECIMAL(38,9)', '5', '0.1', '0.000001', '9007199254740993', '100000000000000000000'],
      floating: ['DOUBLE', '9007199254740992', '5', '-0.0', '0.1', '1e-6', '1e20', "'NaN'", '1152921504606846976'],
    } as const;
    const names = ['whole', 'digits', 'floating'] as const;
    const elements = names.map((name) =>
      element(name).replace('dataObject', `dataSource: ${name}, dataObject`).replace('key: id', 'key: v'),
    );
    const mappings = names.flatMap((left) =>
      names.flatMap((right) => ['=', '<', '>='].map((operator) => mapping(left, right, operator))),
    );
    /** In units of 1e-9; NaN is the greatest number. */
    const exactOf = (text: string): bigint => {
      if (text.includes('NaN')) return 10n ** 300n;
      if (text.includes('e')) return 10n ** BigInt(9 + Number(text.slice(2)));
      const [digits = '', fraction = ''] = text.split('.');
      return BigInt(digits) * 10n ** 9n + BigInt(fraction.padEnd(9, '0'));
    };
    const compared = (left: keyof typeof given, operator: string, right: keyof typeof given): number => {
      const [ones, others] = [left, right].map((name) => given[name].slice(1).map(exactOf));
      return (ones ?? []).flatMap((one) =>
        (others ?? []).filter((other) => (operator === '<' ? one < other : one >= other)),
      ).length;
    };
    await withProject(
      { 'graph.entity.yaml': graphText(elements.join(''), mappings.join('')).replace('shop', 'whole') },
      async (project) => {
        for (const name of names) {
          const [type, ...values] = given[name];
          await createDuckdbFile(join(project.folder, `${name}.duckdb`), table(name, type, values));
        }
        const sources = names.map((name) => `  ${name}: { kind: duckdb, path: ${name}.duckdb }\n`).join('');
        await project.write({ 'entity-sources.yaml': `version: 1\ndataSources:\n${sources}` });
        const { status, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
        const rows = await project.rows(pairsSql);
        const pairs = (name: string) => rows.filter(([found]) => found === name).map(([, ...keys]) => keys.join('|'));
        assert.deepEqual(pairs('whole = digits'), ['5|5', '9007199254740993|9007199254740993']);
        assert.deepEqual(pairs('whole = floating'), [
          '0|0',
          '1152921504606846976|1.152921504606847e+18',
          '5|5',
          '9007199254740992|9007199254740992',
        ]);
        assert.deepEqual(pairs('digits = floating'), [
          '0.000001|1e-06',
          '0.1|0.1',
          '100000000000000000000|1e+20',
          '5|5',
        ]);
        for (const [left, right] of names.flatMap((left) => names.map((right) => [left, right] as const))) {
          for (const operator of ['<', '>=']) {
            const name = `${left} ${operator} ${right}`;
            assert.equal(pairs(name).length, compared(left, operator, right), name);
          }
        }
        assert.ok(pairs('floating < whole').includes('9007199254740992|9007199254740993'));
        for (const name of names) assert.equal(pairs(`${name} = ${name}`).length, given[name].length - 1);
      },
    );
  });
});
