import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import type { SourceError } from '../source-error.ts';
import { readFinder, withoutSecrets } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';

/** For each query, why the source cannot deliver its records, or undefined; equal reads are checked once. */
export async function checkFetchedQueries(
  source: RecordSource,
  queries: readonly CompiledQuery[],
  options: OperationOptions,
): Promise<readonly (SourceError | undefined)[]> {
  const findReads = readFinder(source);
  const known = new Map<string, Promise<SourceError | undefined>>();
  const refusals: (SourceError | undefined)[] = [];
  for (const query of queries) {
    let refusal: SourceError | undefined;
    for (const read of await findReads(query, options)) {
      const { dataObject, columns, filters } = read;
      const need = JSON.stringify([dataObject, columns.map(({ name }) => name), filters]);
      const check = known.get(need) ?? source.check?.(read, options) ?? Promise.resolve(undefined);
      known.set(need, check);
      refusal ??= await check;
    }
    refusals.push(refusal && (withoutSecrets(refusal, source) as SourceError));
  }
  return refusals;
}
