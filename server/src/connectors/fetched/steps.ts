import type { CompiledQuery, ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import { plannedRead } from '../../query/object-reads.ts';
import type { QueryPurpose } from '../connector.ts';
import { cappedSql } from '../csv/preview.ts';
import { countSql, loadSql } from '../csv/pull.ts';
import { describeQuery } from './pull.ts';
import { readFinder } from './query-objects.ts';
import { cacheOf, isFresh } from './fetch-object.ts';
import type { RecordSource } from './record-source.ts';

/** The requests that fetch the records, then the statements that run on them, word for word. */
export async function fetchedSteps(
  source: RecordSource,
  query: CompiledQuery,
  purpose: QueryPurpose,
  stateFolder?: string,
): Promise<readonly QueryStep[]> {
  const reads = await readFinder(source)(query, {});
  const requests: QueryStep[] = [];
  for (const read of reads) {
    if (purpose.kind === 'preview') requests.push(...(await source.requests(read, purpose)));
    else {
      const planned = plannedRead(read, purpose.queries ?? []);
      requests.push(...(await source.requests(planned, purpose, await keptMark(source, planned, stateFolder))));
    }
  }
  const core = step('core', 'Core query, on the fetched records', query.sql);
  if (purpose.kind === 'preview') {
    const title = `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`;
    return [...requests, core, step('wrap', title, cappedSql(query, purpose.limit))];
  }
  const title = 'Executed: the core query into a table, with casts to what a graph is built from';
  const columns = await describeQuery(query, reads, source);
  const { table = 'staged' } = purpose;
  return [
    ...requests,
    core,
    step('wrap', title, loadSql(query, table, columns, undefined).sql),
    step('setup', 'What it has read', countSql(table)),
  ];
}

/** From where changes are read, where something is kept that an import would use. */
async function keptMark(
  source: RecordSource,
  read: ObjectRead,
  stateFolder: string | undefined,
): Promise<string | undefined> {
  const { changes } = source;
  if (!changes || stateFolder === undefined) return undefined;
  const kept = await cacheOf(source, changes, read, stateFolder).find();
  return kept && isFresh(kept, changes) ? kept.mark : undefined;
}

function step(role: QueryStep['role'], title: string, text: string): QueryStep {
  return { kind: 'sql', dialect: 'duckdb', role, title, text };
}
