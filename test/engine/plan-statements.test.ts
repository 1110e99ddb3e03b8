import assert from 'node:assert/strict';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ImportPlanView, PlanStepView } from '../../protocol/import-plan.ts';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { showImportPlan } from '../../server/src/operations/imports/show-plan.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { startPagedService } from '../simulator/paged-service.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { sourceSettings } from '../support/compare-engines.ts';
import { type ImportedProject, csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { type TracedStatements, traceStatements } from '../support/trace-statements.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

const elements = `  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, changeTimestamp: until, properties: [amount] }
  - activityName: Win
    dataObject: customers
    key: id
    startTimestamp: since
    joins: LEFT JOIN orders AS o ON o.customer = customers.id
`;
const relationships = `  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n`;
const graph = graphText(elements, relationships);
/** Some are broken, one holds, and the last one names a property that the graph does not have. */
const rules = `rules:
  - { name: Amounts are large, each: { entityType: orders }, expect: [{ sql: amount > 5 }] }
  - { name: Placed once, each: { activity: Win }, expect: [{ activity: Place, of: customers, count: "1", within: 9d }] }
  - { name: Placed, each: { entityType: orders, where: amount < 6 }, expect: [{ activity: Place }] }
  - { name: Neither won, each: { activity: Place, where: amount > 5 }, expect: [{ never: Win, of: customers }, { relationship: places }] }
  - { name: Nothing, each: { entityType: orders }, expect: [{ sql: nothing > 5 }] }
calendars:
  office: { timeZone: Europe/Berlin, days: Mon-Fri, hours: "08:00-17:00" }
measures:
  - { name: Time at work, each: { entityType: orders }, duration: {}, target: { median: { atMost: 2bd } } }
  - { name: Time to win, each: { entityType: customers }, duration: { from: Win, to: Place, take: each }, target: { share: { atMost: 3d, atLeast: 50% } } }
  - { name: Idle, each: { entityType: orders, where: amount > 5 }, duration: { sinceLast: true } }
  - { name: Places, each: { activity: Win }, count: { relationship: places } }
  - { name: No value, each: { entityType: orders }, sql: nothing }
`;

describe('import plan contains every executed statement', () => {
  it('embedded, files', async () => {
    const files = {
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': `${graph}${rules}`,
      'orders.csv': 'id,customer,at,until,amount\n1,7,2024-01-02,soon,5\n2,7,2024-01-03,,6\n'.replace(
        'soon',
        '2024-02-02',
      ),
      // A text with another spelling than in the other file, so that all comparisons run.
      'customers.csv': 'id,since\n7.0,2024-01-01\n',
    };
    await withProject(files, async (project) => {
      await expectPlanned(project, 'embedded');
      // Now there are cached rows of the previous import.
      await expectPlanned(project, 'embedded');
      await project.write({ 'customers.csv': 'id,since\n8.0,2024-01-01\n' });
      await expectPlanned(project, 'embedded');
    });
  });

  it('embedded, files with changed values and new rows', () => {
    const orders = (amount: number, more = ''): string =>
      `id,customer,at,until,amount\n1,7,2024-01-02,2024-02-02,${amount}\n3,7,2024-01-03,,6\n${more}`;
    const files = {
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': `${graphText(
        `${elements.split('\n')[0] ?? ''}\n  - { activityName: Win, dataObject: customers, key: id, startTimestamp: since, activityColumn: how }\n`,
        relationships.replace('mappings', 'correlate: both, mappings'),
      )}${rules}`,
      'orders.csv': orders(5),
      'customers.csv': 'id,since,how\n7.0,2024-01-01,a\n',
    };
    return withProject(files, async (project) => {
      await expectPlanned(project, 'embedded');
      for (const text of [orders(7), orders(7, '4,7,2024-01-02,,6\n')]) {
        await project.write({ 'orders.csv': text });
        const { steps = [] } = await expectPlanned(project, 'embedded');
        assert.equal(steps.find(({ name }) => name === 'element_2')?.isUnchanged, true);
      }
    });
  });

  it('embedded, REST', async () => {
    const service = await startPagedService(25, 10, { accepts: () => true });
    const paged = { key: 'id', path: '/by-page', pagination: { style: 'page' } };
    const endpoints = ['orders', 'customers'].map((name) => ({ name, ...paged }));
    const shop = { kind: 'rest', baseUrl: service.url, endpoints };
    const files = {
      'entity-sources.yaml': stringify({ version: 1, dataSources: { shop } }),
      'graph.entity.yaml': graph
        .replace('until', 'day')
        .replace('since', 'at')
        .replace('o.customer', 'o.id')
        .replace('target: customer', 'target: amount'),
    };
    try {
      await withProject(files, async (project) => {
        await expectPlanned(project, 'embedded');
        await expectPlanned(project, 'embedded');
      });
    } finally {
      await service.close();
    }
  });

  it('embedded, ServiceNow', async () => {
    const simulator = await startSimulator({ incidents: 25 });
    const settings = instanceSettings(simulator, { tables: ['incident'], pageSize: 10, incremental: false });
    const files = {
      'entity-sources.json': JSON.stringify({ version: 1, dataSources: { shop: settings } }),
      'graph.entity.yaml': graphText(
        '  - { activityName: Open, dataObject: incident, startTimestamp: opened_at, properties: [short_description] }\n',
      ),
    };
    try {
      // The lone surrogate makes one page use the slow path, so that both run.
      const [first] = simulator.instance.data.get('incident') ?? [];
      if (first) first['short_description'] = 'cut \ud83d';
      await withProject(files, (project) => expectPlanned(project, 'embedded'));
    } finally {
      await simulator.close();
    }
  });

  for (const engine of ['embedded', 'source'] as const) {
    it(`${engine}, PostgreSQL`, async () => {
      const server = await sharedPostgres();
      const database = await server.createDatabase();
      await server.query(
        database,
        `CREATE TABLE orders (id int PRIMARY KEY, customer int, at text, until timestamptz, amount numeric);
         CREATE TABLE customers (id int PRIMARY KEY, since date);
         INSERT INTO orders VALUES (1, 7, '2024-01-02', NULL, 5), (2, 7, '2024-01-03', '2024-02-01', 6);
         INSERT INTO customers VALUES (7, '2024-01-01')`,
      );
      const files = {
        'entity-sources.yaml': postgresqlSources(server, database),
        'graph.entity.yaml': engine === 'source' ? `${graph}${sourceSettings}` : graph,
      };
      await withProject(files, async (project) => {
        await expectPlanned(project, engine);
        await expectPlanned(project, engine);
        await project.write({ 'graph.entity.yaml': `${files['graph.entity.yaml']}${rules}` });
        await expectPlanned(project, engine);
      });
    });
  }
});

/**
 * Imports, and compares the statements that reached the databases with the plan, and its steps with those of the
 * report.
 */
async function expectPlanned(project: ImportedProject, engine: ImportPlanView['engine']): Promise<ImportSummary> {
  const { result: plan, trace: planning } = await traceStatements(() => planOf(project));
  const { result: summary, trace } = await traceStatements(() => project.import());
  assert.equal(summary.status, 'imported', summary.error?.message);
  assert.equal(plan.engine, engine);
  assert.deepEqual(
    namesOf(summary),
    plan.steps.map(({ name }) => name),
  );
  for (const dialect of ['duckdb', 'postgresql'] as const) {
    const planned = plan.steps.flatMap(({ parts }) => parts.filter((part) => part.dialect === dialect));
    const known = new Set([...planned.map(({ text }) => comparable(text)), ...schemaQuestions(planning, dialect)]);
    const unplanned = statementsOf(trace, dialect).filter((sql) => sql !== '' && !known.has(sql));
    assert.deepEqual([...new Set(unplanned)], [], `${dialect}: runs, but is not in the plan`);
    // Unchanged rows are not pulled, and changed ones are, which the plan cannot know.
    if (!namesOf(summary).includes('kept')) expectRun(plan.steps, trace, dialect);
  }
  return summary;
}

/** A statement of the plan runs verbatim; a core query runs within the statement that wraps it. */
function expectRun(steps: readonly PlanStepView[], trace: TracedStatements, dialect: 'duckdb' | 'postgresql'): void {
  const ran = trace[dialect].map(comparable);
  for (const { name, parts } of steps) {
    const mayNotRun = (title: string): boolean =>
      /^If (?:it is broken|it can be found|keys repeat|its numbers fit): /u.test(title);
    for (const { title, text } of parts.filter((part) => part.dialect === dialect && !mayNotRun(part.title))) {
      const isThere = ran.some((sql) => sql.includes(comparable(text)));
      assert.ok(isThere, `${dialect}: ${name}, ${title}, is in the plan, but does not run:\n${text}`);
    }
  }
}

/** Queries about tables and columns that a plan asks the source, and settings of the driver. */
function schemaQuestions(planning: TracedStatements, dialect: 'duckdb' | 'postgresql'): readonly string[] {
  return statementsOf(planning, dialect);
}

/** Functions that several queries need at the same time are created one by one or together. */
function statementsOf(traced: TracedStatements, dialect: 'duckdb' | 'postgresql'): readonly string[] {
  return traced[dialect].flatMap((sql) => sql.split(/;\n(?=CREATE OR REPLACE TEMP MACRO )/)).map(comparable);
}

/** Without values known at run time only: recorded values, names of temporary files, times. */
function comparable(sql: string): string {
  const text = sql.trim();
  if (/^CREATE TABLE \S+\.run AS /.test(text)) return text.replaceAll(/(?:TIMESTAMP )?E?'(?:[^'\\]|''|\\.)*'/g, "''");
  if (text.startsWith('INSERT INTO kept_rows ')) return 'INSERT INTO kept_rows';
  return text
    .replace(/( TYPE DECIMAL\(38,)\d+/, '$1…')
    .replace(/^ATTACH '[^']*'/, "ATTACH ''")
    .replace(/^(SET memory_limit = )'(?!40MB')[^']*'/, "$1'<as before>'")
    .replace(/(FROM read_csv\()'[^']*fetched (\d+)(?: \d+|>)\.jsonl'/, "$1'<fetched $2>'")
    .replace(/^(CREATE TABLE kept_graph AS SELECT ).*/, '$1')
    .replaceAll(/((?:rowid|"row") (?:>=|<) )[\d…]+/g, '$1…')
    .replace(/^(SET allowed_directories = ).*/, '$1')
    .replace(/^(INSERT INTO (?:\S+\.)?"?(?:rule|measure)"? VALUES ).*/s, '$1…')
    .replace(/^(SELECT '1' AS place, .* FROM ONLY )\S+ AS t$/, '$1… AS t')
    .replace(/(FROM read_csv\()'[^']*postgresql-\d+-\d+\.csv'/, "$1'<temporary file>'")
    .replace(/(time > TIMESTAMP )'[^']*'/, "$1''");
}

function namesOf({ steps = [] }: ImportSummary): readonly string[] {
  return steps.map(({ name }) => name);
}

async function planOf({ folder }: ImportedProject): Promise<ImportPlanView> {
  const projectContext = {
    permitUses: permitAllUses,
    readSecret: async () => 'postgres',
    environment: process.env,
    workspaceFolderOf: () => folder,
  };
  const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
  return showImportPlan(file, projectContext, new AbortController().signal);
}
