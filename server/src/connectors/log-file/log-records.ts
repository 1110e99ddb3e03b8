import type { RecordSource } from '../fetched/record-source.ts';
import type { LogFileConfig } from './log-file-settings.ts';
import { createLogFile } from './log-file.ts';
import type { LogLoader } from './log-tables.ts';

/** The data objects of an event log file as records, on which DuckDB runs the queries. */
export function logRecords(config: LogFileConfig, load: LogLoader): RecordSource {
  const log = createLogFile(config, load);
  const { name, timeZone, file, statementTimeoutMs } = config;
  return {
    name,
    timeZone,
    secrets: [],
    statementTimeoutMs,
    async describe({ signal, known, mayReuse = false }) {
      const readAt = new Date().toISOString();
      if (mayReuse && known?.stamp === (await log.stamp())) return { ...known, readAt };
      const { tables, warnings, stamp } = await log.content(signal);
      return { objects: tables.map(({ object }) => object), complete: true, warnings, readAt, stamp };
    },
    proposeGraph: async ({ signal }) => (await log.content(signal)).graph,
    requests: ({ dataObject }) => [
      { kind: 'sql', dialect: 'duckdb', role: 'setup', title: `Rows of ${dataObject}`, text: `-- reads ${file}` },
    ],
    async *records({ dataObject, columns }, { signal, onWarning }) {
      const { warnings } = await log.content(signal);
      for (const warning of warnings) onWarning(warning);
      const names = columns.map((column) => column.name);
      yield* log.rows(dataObject, names, signal);
    },
    close: () => log.close(),
  };
}
