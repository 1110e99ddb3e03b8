import assert from 'node:assert/strict';
import { join } from 'node:path';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { showImportPlan } from '../../server/src/operations/imports/show-plan.ts';
import { listEntities } from '../../server/src/operations/graph-files/list-entities.ts';
import { diagnoseSource } from '../../server/src/operations/sources/diagnose-source.ts';
import { showQuery, testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { validateFile } from '../../server/src/operations/validation/validate.ts';
import { readGraphFile, readSourcesFile } from '../../server/src/project/open-project.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';

const sources = `version: 1
dataSources:
  shop: { kind: csv, path: shop/*.csv, timeZone: Europe/Berlin, files: { orders.csv: { types: { number: INTEGER } } } }
  itsm: { kind: csv, path: itsm/*.csv }
`;

const files = {
  'entity-sources.yaml': sources,
  'shop/orders.csv': 'id,placed,number,contact\no1,2024-07-01 12:00:00,10,ada\no2,2024-07-02 12:00:00,7,bob\n',
  'shop/links.csv': 'order_id,ticket\no1,t2\no2,t9\n',
  'itsm/tickets.csv': 'id,opened,number,caller\nt1,2024-07-01 10:00:00,10.0,Ada\nt2,2024-07-02 10:00:00,7,bob\n',
};

const elements = `elements:
  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [placed] }
  - { activityName: Call, dataSource: itsm, dataObject: tickets, key: id, entityType: ticket, startTimestamp: opened }
`;

const graph = (relationships: string, head = 'dataObjects: [orders, links, { source: itsm, objects: [tickets] }]\n') =>
  `version: 1\ndataSource: shop\n${head}${elements}relationships:\n${relationships}`;

const about = '  - { name: about, source: Order, target: Call, mappings: [{ source: contact, target: caller }] }\n';

const pairs = `SELECT source.key AS source, target.key AS target FROM relation
  JOIN entity AS source ON source.id = source_entity_id JOIN entity AS target ON target.id = target_entity_id ORDER BY 1, 2`;

describe('a graph over several data sources', () => {
  const projectContext = (folder: string) => ({
    permitUses: permitAllUses,
    readSecret: async () => undefined,
    environment: {},
    workspaceFolderOf: () => folder,
  });
  const withGraph = async (text: string, use: (project: ImportedProject) => Promise<void>): Promise<void> =>
    withProject({ ...files, 'graph.entity.yaml': text }, use);
  const pairsOf = async (relationships: string): Promise<unknown> => {
    let found: unknown;
    await withGraph(graph(relationships), async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', JSON.stringify(summary.error));
      found = await project.rows(pairs);
    });
    return found;
  };

  it('reads each element in its own data source and time zone, and records the time of reading', async () => {
    await withGraph(graph(about), async (project) => {
      const before = Date.now();
      const summary = await project.import();
      assert.equal(summary.status, 'imported', JSON.stringify(summary.error));
      const times = "SELECT activity, strftime(time, '%d %H:%M') FROM event ORDER BY id";
      assert.deepEqual(await project.rows(times), [
        ['Order', '01 10:00'],
        ['Call', '01 10:00'],
        ['Order', '02 10:00'],
        ['Call', '02 10:00'],
      ]);
      assert.deepEqual(await project.rows("SELECT strftime(placed, '%H:%M') FROM properties_1"), [
        ['10:00'],
        ['10:00'],
      ]);
      const reads = summary.dataSources ?? [];
      assert.deepEqual(
        reads.map(({ name, kind, rows }) => ({ name, kind, rows })),
        [
          { name: 'shop', kind: 'csv', rows: 4 },
          { name: 'itsm', kind: 'csv', rows: 4 },
        ],
      );
      for (const { readAt } of reads) assert.ok(Date.parse(readAt) >= before - 1 && Date.parse(readAt) <= Date.now());
      const recorded = await project.rows("SELECT counts->'dataSources' FROM run");
      assert.deepEqual(JSON.parse(String(recorded[0]?.[0])), reads);
    });
  });

  const cases: Readonly<Record<string, readonly [relationship: string, expected: unknown]>> = {
    'text by bytes': [about, [['o2', 't2']]],
    'a declared number and an undeclared column by text': [
      '  - { name: r, source: Order, target: Call, mappings: [{ source: number, target: number }] }\n',
      [['o2', 't2']],
    ],
    'an undeclared column by its value where it is ordered': [
      '  - { name: r, source: Order, target: Call, mappings: [{ source: number, operator: ">", target: number }] }\n',
      [['o1', 't2']],
    ],
    'times in UTC': [
      '  - { name: r, source: Order, target: Call, mappings: [{ source: placed, target: opened }, { source: number, operator: "<", target: number }] }\n',
      [],
    ],
    'times in UTC, later': [
      '  - { name: r, source: Order, target: Call, mappings: [{ source: placed, operator: "<=", target: opened }] }\n',
      [
        ['o1', 't1'],
        ['o1', 't2'],
        ['o2', 't2'],
      ],
    ],
    'like, case-sensitive': [
      '  - { name: r, source: Order, target: Call, mappings: [{ source: contact, operator: like, target: caller }] }\n',
      [['o2', 't2']],
    ],
    'an expression in the SQL of DuckDB': [
      '  - { name: r, source: Order, target: Call, mappings: [{ expression: lower(source.contact) = lower(target.caller) }] }\n',
      [
        ['o1', 't1'],
        ['o2', 't2'],
      ],
    ],
    'a cross table of one of them': [
      '  - { name: r, source: Order, target: Call, crossTable: { dataObject: links, sourceMappings: [{ source: id, cross: order_id }], targetMappings: [{ cross: ticket, target: id }] } }\n',
      [['o1', 't2']],
    ],
  };
  for (const [name, [relationship, expected]] of Object.entries(cases)) {
    it(`compares ${name}`, async () => assert.deepEqual(await pairsOf(relationship), expected));
  }

  it('shows a part for each data source and the join, which Test Query runs', async () => {
    await withGraph(graph(about), async ({ folder }) => {
      const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext(folder));
      const target = { kind: 'relationship', name: 'about' } as const;
      const { steps } = await showQuery(file, target, projectContext(folder));
      assert.deepEqual([...new Set(steps.map(({ source }) => source))], ['shop', 'itsm', undefined]);
      assert.match(steps.at(-1)?.text ?? '', /"source"\."contact as text" = "target"\."caller as text"/);
      const { columns, rows } = await testQuery(file, target, projectContext(folder));
      assert.deepEqual(
        columns.map(({ name }) => name),
        ['source_key_1', 'target_key_1'],
      );
      assert.deepEqual(rows, [['o2', 't2']]);
      const call = await testQuery(file, { kind: 'element', name: 'Call' }, projectContext(folder));
      assert.equal(call.rows.length, 2);
    });
  });

  it('lists the reads of each data source in the plan', async () => {
    await withGraph(graph(about), async ({ folder }) => {
      const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext(folder));
      const plan = await showImportPlan(file, projectContext(folder), new AbortController().signal);
      assert.deepEqual(
        plan.dataSources?.map(({ name, dataObjects }) => ({ name, dataObjects })),
        [
          { name: 'shop', dataObjects: ['orders'] },
          { name: 'itsm', dataObjects: ['tickets'] },
        ],
      );
    });
  });

  it('counts as a use of each data source, in the list of graphs and in the diagnosis of a data source', async () => {
    await withGraph(graph(about).replaceAll('tickets', 'calls'), async ({ folder }) => {
      const { rows } = await listEntities(folder, { workspaceFolderOf: () => folder });
      assert.deepEqual(
        rows.map(({ dataSource, dataSources }) => ({ dataSource, dataSources })),
        [{ dataSource: 'shop', dataSources: ['shop', 'itsm'] }],
      );
      const path = join(folder, 'entity-sources.yaml');
      const { problems } = await validateFile(path, projectContext(folder), { online: false });
      assert.deepEqual(
        problems.filter(({ code }) => code === 'unused-source'),
        [],
      );
      const sourcesFile = await readSourcesFile(path, projectContext(folder));
      const { signal } = new AbortController();
      const missingOf = async (name: string): Promise<boolean> => {
        const { checks } = await diagnoseSource(sourcesFile, name, projectContext(folder), { signal });
        return checks.some(({ message }) => message.includes('calls'));
      };
      assert.deepEqual([await missingOf('shop'), await missingOf('itsm')], [false, true]);
    });
  });

  it('names the data sources of an imported graph without reading its lists', async () => {
    await withGraph(graph(about), async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', JSON.stringify(summary.error));
      const { rows } = await listEntities(project.folder, { workspaceFolderOf: () => project.folder });
      assert.deepEqual(rows[0]?.dataSources, ['shop', 'itsm']);
    });
  });

  it('has no problems if each name exists in its own data source', async () => {
    await withGraph(
      graph(about, 'dataObjects: [orders, { source: itsm, objects: [tickets] }]\n'),
      async ({ folder }) => {
        const path = join(folder, 'graph.entity.yaml');
        const { problems } = await validateFile(path, projectContext(folder), { online: false });
        assert.deepEqual(
          problems.filter(({ severity }) => severity === 'error'),
          [],
        );
        assert.deepEqual(
          problems.map(({ code }) => code).filter((code) => code.includes('object')),
          [],
        );
      },
    );
  });

  const mistakes: Readonly<Record<string, readonly [from: string, to: string, place: RegExp]>> = {
    'a time zone in another case': [
      'path: itsm/*.csv',
      'path: itsm/*.csv, timeZone: utc',
      /^"itsm" cannot be read: entity-sources\.yaml, line 4: "utc" is not a time zone\. Did you mean "UTC"\?/u,
    ],
    'an abbreviation as the time zone of a database': [
      'kind: csv, path: itsm/*.csv',
      'kind: postgresql, host: db, database: d, user: u, timeZone: est',
      /^"itsm" cannot be read: entity-sources\.yaml, line 4: "est" is not a time zone/u,
    ],
    'an unknown setting': ['path: itsm/*.csv', 'path: itsm/*.csv, colour: red', /^"itsm" cannot .*line 4: .*colour/u],
    'an unknown kind': ['kind: csv, path: itsm', 'kind: csw, path: itsm', /^"itsm" cannot .*line 4: .*csw/u],
  };
  for (const [name, [from, to, message]] of Object.entries(mistakes)) {
    it(`has an error at each name of a data source whose settings have ${name}`, async () => {
      const written = { 'entity-sources.yaml': sources.replace(from, to), 'graph.entity.yaml': graph(about) };
      await withProject({ ...files, ...written }, async ({ folder }) => {
        const path = join(folder, 'graph.entity.yaml');
        const { problems, text } = await validateFile(path, projectContext(folder), { online: false });
        const found = problems.filter(({ code }) => code === 'unknown-data-source');
        assert.deepEqual(
          found.map(({ severity, range: { start, end } }) => `${severity} ${text.slice(start, end)}`),
          ['error itsm', 'error itsm'],
        );
        for (const each of found) assert.match(each.message, message);
      });
    });
  }

  const refused: Readonly<Record<string, readonly [text: string, code: string, message: RegExp]>> = {
    'an unknown data source of an element': [
      graph(about).replace('dataSource: itsm', 'dataSource: itsn'),
      'unknown-data-source',
      /"itsn" is not a data source of entity-sources\.yaml\. Did you mean "itsm"\?/,
    ],
    'a column that the data source of the end does not have': [
      graph(about.replace('target: caller', 'target: contact')),
      'unknown-column',
      /"contact"/,
    ],
    'unlike types': [
      graph(about.replace('source: contact', 'source: number, operator: "<"')),
      'type-mismatch',
      /number.*caller/,
    ],
    'rows of two data sources that would share entities': [
      graph(about)
        .replace('dataSource: itsm, dataObject: tickets', 'dataSource: itsm, dataObject: orders')
        .replace(', entityType: order,', ','),
      'ambiguous-entity-type',
      /"orders" is read of "shop" and of "itsm"/,
    ],
    'an object that is selected of two data sources': [
      graph(about, 'dataObjects: [orders, { source: itsm, objects: [orders, tickets] }]\n'),
      'ambiguous-data-object',
      /"orders" is selected of "shop" and of "itsm"\. Which one is meant\?/,
    ],
    'a build inside one data source': [
      `${graph(about)}import: { engine: source, schema: ekg }\n`,
      'engine-unsupported',
      /reads shop, itsm/,
    ],
  };
  for (const [name, [text, code, message]] of Object.entries(refused)) {
    it(`refuses ${name}, and changes nothing`, async () => {
      await withGraph(text, async (project) => {
        const { status, error } = await project.import();
        assert.equal(status, 'failed');
        assert.equal(error?.code, code, error?.message);
        assert.match(error?.message ?? '', message);
      });
    });
  }
});
