import type { SourceKind } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { xesQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** Event logs of cases: XES. */
export const xesKind: SourceKind = {
  name: 'xes',
  label: translatable('XES'),
  description: translatable('an event log of cases, also compressed'),
  icon: 'list-tree',
  docPage: 'docs/event-logs.md',
  proposedName: 'traces',
  questions: xesQuestions,
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
  otherNames: [],
  tellingSettings: [],
  snippet: {
    label: 'New source of an XES log',
    description: 'An event log of cases.',
    lines: ['${1|name|}:', '  kind: xes', '  path: ${2|log.xes|}$0'],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: 'event log of cases: .xes, .xes.gz',
  fileSetting: { name: 'path', mayBeGlob: false },
  wholeFiles: { endings: ['xes', 'xes.gz'] },
  unencryptedSetting: undefined,
  scaffoldElement: undefined,
  settings: async () => (await import('../log-file/log-file-settings.ts')).logFileSettings('xes'),
  connector: async () => (await import('./connector.ts')).createXesConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: async () => (await import('../given/embedded-engine.ts')).openEmbeddedEngine,
  greeting: undefined,
  browserConnection: undefined,
};
