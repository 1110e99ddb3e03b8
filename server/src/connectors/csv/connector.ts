import type { DataSource } from '../../model/data-sources.ts';
import type { KindConnector, Pull } from '../connector.ts';
import type { ConnectorContext } from '../connector-context.ts';
import { resolveSource } from '../resolve-source.ts';
import type { FileSourceConfig } from './read-settings.ts';
import { openFileSource } from './file-source.ts';
import { fingerprintSteps } from './fingerprint.ts';
import { introspect } from './introspect.ts';
import { preview } from './preview.ts';
import { openPull } from './pull.ts';
import { fileSettings } from './setting-receivers.ts';
import { querySteps } from './steps.ts';

/**
 * Connector of files: CSV and similar, Parquet, JSON and Excel workbooks, queried in place by DuckDB. Rejects like
 * `resolveSource` for invalid settings.
 */
export async function createCsvConnector(source: DataSource, context: ConnectorContext): Promise<KindConnector> {
  const { config } = await resolveSource(source, context, fileSettings);
  return fileConnector(config);
}

/** Reads nothing until a method is called. */
export function fileConnector(config: FileSourceConfig): KindConnector {
  const files = openFileSource(config);
  const pulls = new Set<Pull>();
  return {
    timeZone: config.timeZone,
    describe: (options) => introspect(files, options),
    preview: (query, options) => preview(files, query, options),
    steps: (query, purpose) => querySteps(files, query, purpose),
    ...(files.config.incremental && { unchangedSteps: fingerprintSteps }),
    async openPull(staging, options) {
      const pull = await openPull(files, staging, options);
      pulls.add(pull);
      return pull;
    },
    async close() {
      await Promise.all([...pulls].map((pull) => pull.close()));
      await files.close();
    },
  };
}
