import { readFileSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { QueryTarget } from '../../protocol/query-results.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { showQuery } from '../../server/src/operations/queries/query-operations.ts';
import { showImportPlan } from '../../server/src/operations/imports/show-plan.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { sourceSettings } from '../support/compare-engines.ts';
import { expectGolden } from '../support/golden.ts';
import { postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { createPlanPrinter, type PlanPrinter } from '../support/printed-plan.ts';
import { laterRuleGraphs, linkedGraphs, ruleGraphs, shop } from '../support/shop-graphs.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { projectFolder } from '../support/vscode-host.ts';

describe('golden plans of imports and queries', () => {
  let server: TestPostgres;
  let database = '';
  let northwind = '';
  let folder = '';

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(database, shop);
    northwind = await server.createDatabase();
    await server.loadSqlFile(northwind, join(projectFolder, 'samples/northwind/northwind.sql'));
  });
  beforeEach(async () => {
    folder = await folderWith({});
  });
  afterEach(() => removeFolder(folder));

  for (const engine of ['embedded', 'source'] as const) {
    it(`rule graphs, ${engine}`, async () => {
      const printer = createPlanPrinter(scrubber(folder, database));
      const print = async (what: string, graph: string, settings = ''): Promise<void> => {
        await writeFiles(folder, {
          'entity-sources.yaml': postgresqlSources(server, database, settings),
          'graph.entity.yaml': engine === 'source' ? `${graph}${sourceSettings}` : graph,
        });
        await printGraph(printer, what, join(folder, 'graph.entity.yaml'));
      };
      for (const [what, graph] of Object.entries(ruleGraphs)) await print(what, graph);
      await print('times without zone', ruleGraphs['orders of several kinds'] ?? '', ', timeZone: Europe/Berlin');
      expectGolden(`plans/rule-graphs.${engine}.txt`, printer.text());
    });

    it(`rule graphs with computed times, names of properties, paths and values over time, ${engine}`, async () => {
      const printer = createPlanPrinter(scrubber(folder, database));
      const valuesOverTime = 'entities with values over time';
      const graphs = { ...laterRuleGraphs, [valuesOverTime]: linkedGraphs[valuesOverTime] ?? '' };
      for (const [what, graph] of Object.entries(graphs)) {
        await writeFiles(folder, {
          'entity-sources.yaml': postgresqlSources(server, database),
          'graph.entity.yaml': engine === 'source' ? `${graph}${sourceSettings}` : graph,
        });
        await printGraph(printer, what, join(folder, 'graph.entity.yaml'));
      }
      expectGolden(`plans/later-rule-graphs.${engine}.txt`, printer.text());
    });

    it(`samples/northwind, ${engine}`, async () => {
      await copySample('northwind', folder);
      const file = join(folder, 'northwind.entity.yaml');
      const graph = readFileSync(file, 'utf8');
      await writeFiles(folder, {
        'entity-sources.yaml': postgresqlSources(server, northwind).replace('shop:', 'northwind:'),
        'northwind.entity.yaml': engine === 'source' ? `${graph}${sourceSettings}` : graph,
      });
      const printer = createPlanPrinter(scrubber(folder, northwind));
      await printGraph(printer, 'northwind', file);
      expectGolden(`plans/northwind.${engine}.txt`, printer.text());
    });
  }

  it('samples/incidents', async () => {
    await copySample('incidents', folder);
    const printer = createPlanPrinter(scrubber(folder));
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.entity.yaml')).sort()) {
      await printGraph(printer, basename(file, '.entity.yaml'), join(folder, file));
    }
    expectGolden('plans/incidents.txt', printer.text());
  });

  it('samples/itsm', async () => {
    await copySample('itsm', folder);
    const simulator = await startSimulator({ seed: 1, incidents: 50 });
    try {
      const printer = createPlanPrinter((text) => scrubber(folder)(text).replaceAll(simulator.url, '<instance>'));
      const environment = { ...process.env, ITSM_URL: simulator.url };
      await printGraph(printer, 'itsm', join(folder, 'itsm.entity.yaml'), {
        environment,
        password: simulator.logins.password,
      });
      expectGolden('plans/itsm.txt', printer.text());
    } finally {
      await simulator.close();
    }
  });
});

async function copySample(sample: string, folder: string): Promise<void> {
  await cp(join(projectFolder, 'samples', sample), folder, { recursive: true });
  await rm(join(folder, '.entity-graph'), { recursive: true, force: true });
}

/** The plan of an import, and the query of each element and relationship. */
async function printGraph(
  printer: PlanPrinter,
  title: string,
  path: string,
  { environment = process.env, password = 'postgres' }: { environment?: NodeJS.ProcessEnv; password?: string } = {},
): Promise<void> {
  const projectContext = { permitUses: permitAllUses, readSecret: async () => password, environment };
  const file = await readGraphFile(path, projectContext);
  printer.plan(title, await showImportPlan(file, projectContext, new AbortController().signal));
  const { elements, relationships } = parseEntityGraph(file.text).graph;
  const targets: readonly QueryTarget[] = [
    ...elements.map(({ activityName }) => ({ kind: 'element' as const, name: activityName?.value ?? '' })),
    ...relationships.map(({ name }) => ({ kind: 'relationship' as const, name: name?.value ?? '' })),
  ];
  for (const target of targets) {
    const { steps } = await showQuery(file, target, projectContext);
    printer.query(`${title} › ${target.kind} ${'name' in target ? target.name : ''}`, steps);
  }
}

/** Replaces paths, names and times that another run does not have. */
function scrubber(folder: string, database?: string): (text: string) => string {
  return (text) =>
    text
      .replaceAll(folder, '<folder>')
      .replaceAll(database ?? '<database>', '<database>')
      .replaceAll(/(time > TIMESTAMP )'[^']*'/g, "$1'<in ten years>'");
}
