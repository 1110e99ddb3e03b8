import type { SourceKind } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { fileQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** Files: CSV and similar, Parquet, JSON and Excel workbooks. */
export const fileKind: SourceKind = {
  name: 'csv',
  label: translatable('Files'),
  description: 'CSV, TSV, Parquet, JSON, Excel',
  icon: 'files',
  docPage: 'docs/files.md',
  proposedName: 'files',
  questions: fileQuestions,
  dialect: 'duckdb',
  capabilities: {
    hasRowOrder: true,
    isFetched: false,
    isAtHand: true,
    isReadByDuckdb: true,
    hasSnapshot: false,
    buildsInside: false,
    runsGivenRows: false,
  },
  otherNames: [],
  tellingSettings: ['path'],
  snippet: {
    label: 'New source of files',
    description: 'CSV, TSV, Parquet or JSON files, or Excel workbooks: one data object a file or sheet.',
    lines: ['${1|name|}:', '  kind: csv', '  path: ${2|data/*.csv|}$0'],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: 'files: also .tsv, .csv.gz, .parquet, .json, .xlsx',
  fileSetting: { name: 'path', mayBeGlob: true },
  wholeFiles: {
    endings: ['csv', 'tsv', 'json', 'jsonl', 'ndjson']
      .flatMap((each) => [each, `${each}.gz`])
      .concat('parquet', 'xlsx', 'xlsm'),
  },
  unencryptedSetting: undefined,
  scaffoldElement: undefined,
  settings: async () => (await import('./setting-receivers.ts')).fileSettings,
  connector: async () => (await import('./connector.ts')).createCsvConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: async () => (await import('./rows-file.ts')).openRowsFile,
  givenRows: async () => (await import('../given/embedded-engine.ts')).openEmbeddedEngine,
  greeting: undefined,
  browserConnection: undefined,
};
