import type { HostAddress, KindConnector, OperationOptions, Pull, DiagnoseOptions } from '../connector.ts';
import { previewFetched } from './preview.ts';
import { openFetchedPull } from './pull.ts';
import { redactTrace, readFinder } from './query-objects.ts';
import type { RecordSource, ChangeReader, ReadOptions } from './record-source.ts';
import { fetchedSteps } from './steps.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { SourceError } from '../source-error.ts';
import { redactSecrets, redactedStep } from '../redact-secrets.ts';

/** What a connector of a fetched source needs in addition to its records. */
interface FetchedOptions {
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

/** Redacts secrets in warnings and reports of a source, which may echo the request. */
function redactedSource(source: RecordSource): RecordSource {
  const shown = (text: string): string => redactSecrets(text, [...source.secrets]);
  const withRedaction = <T extends OperationOptions & Partial<Pick<ReadOptions, 'onWarning'>>>(options: T): T => {
    const { onProgress, onWarning } = options;
    return {
      ...options,
      ...(onProgress && { onProgress: (message: string) => onProgress(shown(message)) }),
      ...(onWarning && { onWarning: (warning: string) => onWarning(shown(warning)) }),
    };
  };
  const { changes, diagnose } = source;
  return {
    ...source,
    async describe(options) {
      const catalog = await source.describe(withRedaction(options));
      const { warnings, undescribed, doubtfulSettings, outdatedBecause } = catalog;
      return {
        ...catalog,
        warnings: warnings.map(shown),
        ...(undescribed && { undescribed: undescribed.map((each) => ({ ...each, reason: shown(each.reason) })) }),
        ...(doubtfulSettings && {
          doubtfulSettings: doubtfulSettings.map((each) => ({ ...each, message: shown(each.message) })),
        }),
        ...(outdatedBecause !== undefined && { outdatedBecause: shown(outdatedBecause) }),
      };
    },
    records: (read, options) => source.records(read, withRedaction(options)),
    ...(diagnose && {
      diagnose: async (options: DiagnoseOptions) =>
        (await diagnose(withRedaction(options))).map((step) => redactedStep(step, [...source.secrets])),
    }),
    changes: changes && redactedChanges(changes, withRedaction),
  };
}

function redactedChanges(changes: ChangeReader, withRedaction: (options: ReadOptions) => ReadOptions): ChangeReader {
  return {
    ...changes,
    async since(read, mark, options) {
      const found = await changes.since(read, mark, withRedaction(options));
      if (!found) return undefined;
      const { gone } = found;
      return {
        ...found,
        keys: (keysOptions) => found.keys(withRedaction(keysOptions)),
        records: (recordsOptions) => found.records(withRedaction(recordsOptions)),
        ...(gone && { gone: (cached, goneOptions) => gone(cached, withRedaction(goneOptions)) }),
      };
    },
    totals: (read, withSum, options) => changes.totals(read, withSum, withRedaction(options)),
  };
}
