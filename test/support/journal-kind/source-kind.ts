import type { SourceKind } from '../../../server/src/connectors/source-kind.ts';

/** A source kind for tests: text files with one event per line, such as `1;opened;2024-05-01T08:00:00`. */
export const journalKind: SourceKind = {
  name: 'journal',
  label: 'Journal',
  description: 'text files with a line for each event',
  icon: 'notebook',
  docPage: 'docs/sources.md',
  proposedName: 'diary',
  questions: [
    { setting: 'file', prompt: 'Path of the file', fallback: 'journal.txt' },
    { setting: 'separator', prompt: 'Between two values', optional: true },
  ],
  dialect: 'journal sql',
  capabilities: {
    hasRowOrder: false,
    isFetched: true,
    isAtHand: true,
    isReadByDuckdb: false,
    hasSnapshot: false,
    buildsInside: false,
    runsGivenRows: false,
  },
  otherNames: ['logbook'],
  tellingSettings: ['separator'],
  snippet: {
    label: 'New journal',
    description: 'A text file with a line for each event.',
    lines: ['${1|name|}:', '  kind: journal', '  file: ${2|journal.txt|}$0'],
  },
  settingsSchema: {
    journal: {
      description: 'A journal.',
      type: 'object',
      required: ['file'],
      additionalProperties: false,
      patternProperties: { '^x-': {} },
      properties: {
        kind: { $ref: '#/definitions/kind' },
        file: { description: 'Path of the file, relative to this one.', type: 'string' },
        separator: { description: 'What stands between two values. Default: a semicolon.', enum: [';', ','] },
      },
    },
  },
  kindNote: 'a line for each event',
  fileSetting: { name: 'file', mayBeGlob: false },
  unencryptedSetting: undefined,
  scaffoldElement: undefined,
  settings: async () => (await import('./settings.ts')).journalSettings,
  connector: async () => (await import('./connector.ts')).createJournalConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: undefined,
  greeting: undefined,
  browserConnection: undefined,
};
