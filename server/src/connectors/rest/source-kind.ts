import type { SourceKind } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { restQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** REST interfaces with JSON responses. */
export const restKind: SourceKind = {
  name: 'rest',
  label: 'REST',
  description: translatable('any other REST interface'),
  icon: 'globe',
  docPage: 'docs/rest.md',
  proposedName: 'api',
  questions: restQuestions,
  dialect: 'duckdb',
  capabilities: {
    hasRowOrder: false,
    isFetched: true,
    isAtHand: false,
    isReadByDuckdb: false,
    hasSnapshot: false,
    buildsInside: false,
    runsGivenRows: false,
  },
  otherNames: [],
  tellingSettings: ['baseUrl', 'endpoints'],
  snippet: {
    label: 'New REST source',
    description: 'Any other REST interface: one data object an endpoint.',
    lines: [
      '${1|name|}:',
      '  kind: rest',
      '  baseUrl: ${2|https://api.example/v1|}',
      '  endpoints:',
      '    - name: ${3|orders|}',
      '      path: ${4|/orders|}$0',
    ],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: undefined,
  fileSetting: { name: 'openapi', mayBeGlob: false },
  unencryptedSetting: undefined,
  scaffoldElement: undefined,
  settings: async () => (await import('./setting-receivers.ts')).restSettings,
  connector: async () => (await import('./connector.ts')).createRestConnector,
  explorer: async () => (await import('./explore.ts')).restExplorer,
  writer: undefined,
  rowsFile: undefined,
  givenRows: async () => (await import('../given/embedded-engine.ts')).openEmbeddedEngine,
  greeting: undefined,
  browserConnection: async () => {
    const { restConnection } = await import('./connection.ts');
    return async (source, context) => (await restConnection(source, context)).connection;
  },
};
