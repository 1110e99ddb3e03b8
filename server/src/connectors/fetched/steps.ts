import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import type { QueryPurpose } from '../connector.ts';
import { cappedSql } from '../csv/preview.ts';
import { loadSql } from '../csv/pull.ts';
import { describeQuery } from './pull.ts';
import { readFinder } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';

/** The requests that fetch the records, then the statements that run on them, word for word. */
export async function fetchedSteps(
  source: RecordSource,
  query: CompiledQuery,
  purpose: QueryPurpose,
): Promise<readonly QueryStep[]> {
  const reads = await readFinder(source)(query, {});
  const requests = (await Promise.all(reads.map((read) => source.requests(read, purpose)))).flat();
  const core = step('core', 'Core query, on the fetched records', query.sql);
  if (purpose.kind === 'preview') {
    const title = `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`;
    return [...requests, core, step('wrap', title, cappedSql(query, purpose.limit))];
  }
  const title = 'Executed: the core query into a table, with casts to what a graph is built from';
  const columns = await describeQuery(query, reads, source);
  return [...requests, core, step('wrap', title, loadSql(query, 'staged', columns, undefined).sql)];
}

function step(role: QueryStep['role'], title: string, text: string): QueryStep {
  return { kind: 'sql', dialect: 'duckdb', role, title, text };
}
