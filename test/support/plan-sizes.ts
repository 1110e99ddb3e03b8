import assert from 'node:assert/strict';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import { withProject } from './import-text.ts';
import { runCommand } from './run-command.ts';
import type { TestTrino } from './trino-server.ts';
import { visitSources } from './trino-visits.ts';

/** The size of a statement of a build. */
export interface StatementSize {
  readonly sql: string;
  readonly stages: number;
}

/** Steps without stages, or with values that are known at run time only. */
const leftOut: ReadonlySet<string> = new Set(['schema', 'run', 'publish']);

/** Of the statements of rules, those that judge, and the table that they fill. */
const ofRules = /\bjudged AS \(|^CREATE TABLE \S+"rule_violation"/u;

/**
 * Plans the statements of a build without running them, over empty tables, each as if its joins sent the rows of both
 * sides to all workers, which takes the most stages. Statements that differ in numbers only are planned once. Rejects
 * for a statement that Trino refuses.
 * @param schema of the data, in the catalog `lake`
 * @param graph the text of the file without `import`
 */
export async function planSizes(
  trino: Pick<TestTrino, 'port' | 'run'>,
  schema: string,
  graph: string,
): Promise<readonly StatementSize[]> {
  const files = {
    'entity-sources.yaml': visitSources(trino.port, `user: ann, catalog: lake, schemas: ${schema}`),
    'graph.entity.yaml': `${graph}import: { engine: source, schema: ekg_of_${schema} }\n`,
  };
  const { steps } = await withProject(files, async ({ folder }) => {
    const { code, stdout, stderr } = await runCommand(['plan', 'graph.entity.yaml', '--format', 'json'], folder);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as ImportPlanView;
  });
  const run = `ekg_of_${schema}__run`;
  await trino.run(`CREATE SCHEMA lake.${run}`);
  const session = { 'x-trino-user': 'ann', 'x-trino-catalog': 'lake', 'x-trino-time-zone': 'UTC' };
  const planned = new Map<string, StatementSize>();
  // Nothing else reads properties.
  const readsProperties = /^rules:/mu.test(graph);
  for (const { name, phase, parts } of steps.filter((step) => !leftOut.has(step.name))) {
    const headers = { ...session, 'x-trino-schema': phase === 'data pull' ? schema : run };
    for (const { text } of parts) {
      const sql = text.trim().replaceAll(`${run.slice(0, -3)}…`, run);
      if (!/^(?:CREATE TABLE|INSERT|SELECT|WITH)\b/u.test(sql) || (name === 'rules' && !ofRules.test(sql))) continue;
      const form = sql.replaceAll(/\d+/gu, '');
      if (!planned.has(form)) {
        const partitioned = { ...headers, 'x-trino-session': 'join_distribution_type=PARTITIONED' };
        const [[plan]] = (await trino.run(`EXPLAIN (TYPE DISTRIBUTED) ${sql}`, partitioned)) as [[string]];
        planned.set(form, { sql, stages: plan.split(/^(?=Fragment )/mu).length - 1 });
      }
      if (sql.startsWith('CREATE TABLE') && (readsProperties || !name.startsWith('properties_'))) {
        await trino.run(/^CREATE TABLE \S+ AS\b/u.test(sql) ? `${sql}\nWITH NO DATA` : sql, headers);
      }
    }
  }
  return [...planned.values()].toSorted((one, other) => other.stages - one.stages);
}
