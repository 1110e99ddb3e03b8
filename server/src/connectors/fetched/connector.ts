import type { HostAddress, KindConnector, OperationOptions, Pull } from '../connector.ts';
import { checkFetchedQueries } from './check-queries.ts';
import { redactedSource } from './redacted-source.ts';
import { previewFetched } from './preview.ts';
import { openFetchedPull } from './pull.ts';
import { withoutSecrets } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';
import { fetchedSteps } from './steps.ts';

/** What a connector of fetched records has beside the records. */
export interface FetchedOptions {
  /** Where the records come from. */
  readonly baseUrl?: string | URL;
  /** Host of the proxy that leads there. */
  readonly proxy?: string | undefined;
  /** Records are kept there where the source wants that. */
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
      throw withoutSecrets(error, source);
    }
  }
  return {
    timeZone: source.timeZone,
    ...(baseUrl === undefined
      ? {}
      : { address: { ...hostOf(new URL(baseUrl)), ...(proxy !== undefined && { proxy }) } }),
    describe: (options) => told(options, () => source.describe(options)),
    ...(source.examine && { examine: (options) => told(options, async () => source.examine?.(options) ?? []) }),
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
      source.close();
    },
  };
}

function hostOf({ hostname, port, protocol }: URL): HostAddress {
  const fallback = protocol === 'https:' ? 443 : 80;
  // An IPv6 address has brackets in a URL, and none elsewhere.
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? fallback : Number(port) };
}
