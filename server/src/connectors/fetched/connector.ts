import type { HostAddress, KindConnector, OperationOptions, Pull } from '../connector.ts';
import { redactedSource } from './redacted-source.ts';
import { previewFetched } from './preview.ts';
import { openFetchedPull } from './pull.ts';
import { redactTrace, readFinder } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';
import { fetchedSteps } from './steps.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { SourceError } from '../source-error.ts';

/** What a connector of a fetched source needs in addition to its records. */
export interface FetchedOptions {
  /** Where the records come from. */
  readonly baseUrl?: string | URL | undefined;
  /** Host of the proxy. */
  readonly proxy?: string | undefined;
  /** Cache folder, if the source enables incremental imports. */
  readonly stateFolder?: string | undefined;
}

/** A connector of a source whose records are fetched and queried by DuckDB. */
export function fetchedConnector(
  given: RecordSource,
  { baseUrl, proxy, stateFolder }: FetchedOptions = {},
): KindConnector {
  const source = redactedSource(given);
  const pulls = new Set<Pull>();
  async function told<T>({ signal }: OperationOptions, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw redactTrace(error, source);
    }
  }
  return {
    timeZone: source.timeZone,
    address: baseUrl === undefined ? undefined : { ...hostOf(new URL(baseUrl)), proxy },
    describe: (options) => told(options, () => source.describe(options)),
    ...(source.diagnose && { diagnose: (options) => told(options, async () => source.diagnose?.(options) ?? []) }),
    ...(source.proposeGraph && {
      proposeGraph: (options) => told(options, async () => source.proposeGraph?.(options)),
    }),
    ...(source.check && {
      checkQueries: (queries, options) => told(options, () => checkFetchedQueries(source, queries, options)),
    }),
    preview: (query, options) => previewFetched(source, query, options),
    steps: (query, purpose, options = {}) =>
      told(options, () => fetchedSteps(source, query, purpose, stateFolder, options)),
    async openPull(staging, options) {
      const pull = await openFetchedPull(source, staging, options, stateFolder);
      pulls.add(pull);
      return pull;
    },
    async close() {
      await Promise.all([...pulls].map((pull) => pull.close()));
      await source.close();
    },
  };
}

function hostOf({ hostname, port, protocol }: URL): HostAddress {
  const fallback = protocol === 'https:' ? 443 : 80;
  // URLs put IPv6 addresses in brackets.
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? fallback : Number(port) };
}

/** For each query, why the source cannot deliver its records, or undefined; equal reads are checked once. */
async function checkFetchedQueries(
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
    refusals.push(refusal && (redactTrace(refusal, source) as SourceError));
  }
  return refusals;
}
