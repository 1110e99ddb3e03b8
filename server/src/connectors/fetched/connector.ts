import type { Connector, Pull } from '../connector.ts';
import { previewFetched } from './preview.ts';
import { openFetchedPull } from './pull.ts';
import { withoutSecrets } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';
import { fetchedSteps } from './steps.ts';

/** A connector of a source whose records are fetched and queried by DuckDB. Records are kept in `stateFolder` where the source wants that. */
export function fetchedConnector(source: RecordSource, stateFolder?: string): Connector {
  const pulls = new Set<Pull>();
  return {
    kind: source.kind,
    dialect: 'duckdb',
    timeZone: source.timeZone,
    hasRowOrder: false,
    async describe(options) {
      try {
        return await source.describe(options);
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason;
        throw withoutSecrets(error, source);
      }
    },
    preview: (query, options) => previewFetched(source, query, options),
    steps: (query, purpose) => fetchedSteps(source, query, purpose),
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
