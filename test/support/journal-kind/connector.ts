import { readFile } from 'node:fs/promises';
import type { Column } from '../../../server/src/catalog/catalog.ts';
import type { ConnectorFactory } from '../../../server/src/connectors/source-kind.ts';
import { fetchedConnector } from '../../../server/src/connectors/fetched/connector.ts';
import type { Cells, RecordSource } from '../../../server/src/connectors/fetched/record-source.ts';
import { resolveSource } from '../../../server/src/connectors/resolve-source.ts';
import { type JournalConfig, journalSettings } from './settings.ts';

export const createJournalConnector: ConnectorFactory = async (source, context) => {
  const { config } = await resolveSource(source, context, journalSettings);
  return fetchedConnector(journalRecords(config));
};

const columns: readonly Column[] = [
  { name: 'id', type: 'INTEGER', sense: 'integer', nullable: false, primaryKey: true },
  { name: 'what', type: 'VARCHAR', sense: 'text', nullable: false, primaryKey: false },
  { name: 'at', type: 'TIMESTAMP', sense: 'timestamp', nullable: false, primaryKey: false },
];

/** One data object, `entry`. */
function journalRecords({ name, timeZone, file, separator }: JournalConfig): RecordSource {
  const lines = async (): Promise<readonly Cells[]> => {
    const text = await readFile(file, 'utf8');
    const found = text.split('\n').filter((line) => line !== '');
    return found.map((line) => line.split(separator));
  };
  return {
    name,
    timeZone,
    secrets: [],
    describe: async () => ({
      complete: true,
      warnings: [],
      readAt: new Date().toISOString(),
      objects: [
        {
          name: 'entry',
          kind: 'file',
          path: ['entry'],
          columns,
          primaryKey: ['id'],
          foreignKeys: [],
          statistics: { columnCount: columns.length, rowEstimate: (await lines()).length },
        },
      ],
    }),
    requests: () => [
      { kind: 'sql', dialect: 'duckdb', role: 'setup', title: `Lines of ${name}`, text: `-- reads ${file}` },
    ],
    async *records(read) {
      const places = read.columns.map((wanted) => columns.findIndex((column) => column.name === wanted.name));
      yield (await lines()).map((cells) => places.map((place) => cells[place] ?? null));
    },
    close: () => undefined,
  };
}
