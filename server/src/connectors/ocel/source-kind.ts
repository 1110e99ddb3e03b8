import type { SourceKind } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { ocelQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** Object-centric event logs: OCEL 2.0 in JSON, XML or SQLite. */
export const ocelKind: SourceKind = {
  name: 'ocel',
  label: translatable('OCEL 2.0'),
  description: translatable('an object-centric event log: JSON, XML or SQLite'),
  icon: 'type-hierarchy',
  docPage: 'docs/event-logs.md',
  proposedName: 'log',
  questions: ocelQuestions,
  dialect: 'duckdb',
  capabilities: {
    hasRowOrder: false,
    isFetched: true,
    isAtHand: true,
    isReadByDuckdb: true,
    hasSnapshot: true,
    buildsInside: false,
    runsGivenRows: false,
  },
  otherNames: ['jsonocel', 'xmlocel', 'sqliteocel'],
  tellingSettings: [],
  snippet: {
    label: 'New source of an OCEL 2.0 log',
    description: 'An object-centric event log in JSON, XML or SQLite.',
    lines: ['${1|name|}:', '  kind: ocel', '  path: ${2|log.jsonocel|}$0'],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: 'object-centric event log: JSON, XML, SQLite',
  fileSetting: { name: 'path', mayBeGlob: false },
  wholeFiles: {
    endings: ['jsonocel', 'xmlocel', 'sqliteocel'],
    // Files of other kinds have these extensions, too.
    shared: { endings: ['json', 'xml'], begin: /"(?:objectTypes|eventTypes)"\s*:\s*\[|<object-types\b/ },
  },
  unencryptedSetting: undefined,
  scaffoldElement: undefined,
  settings: async () => (await import('../log-file/log-file-settings.ts')).logFileSettings('ocel'),
  connector: async () => (await import('./connector.ts')).createOcelConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: async () => (await import('../given/embedded-engine.ts')).openEmbeddedEngine,
  greeting: undefined,
  browserConnection: undefined,
};
