import type { SourceKind } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { serviceNowQuestions } from './questions.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };
import { auditElement } from './audit-element.ts';

/** ServiceNow: instances of the IT-service-management platform. */
export const serviceNowKind: SourceKind = {
  name: 'servicenow',
  label: translatable('IT-service-management platform'),
  description: translatable('its REST interfaces'),
  icon: 'server-environment',
  docPage: 'docs/servicenow.md',
  proposedName: 'itsm',
  questions: serviceNowQuestions,
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
  tellingSettings: ['instanceUrl'],
  snippet: {
    label: 'New ServiceNow source',
    description: 'Tables of an IT-service-management platform, read through its REST interfaces.',
    lines: [
      '${1|name|}:',
      '  kind: servicenow',
      '  instanceUrl: ${2|https://acme.example|}',
      '  tables: [${3|incident|}]',
      '  auth: { kind: basic, user: ${4}, password: "\\${secret:${1}}" }$0',
    ],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: undefined,
  fileSetting: undefined,
  unencryptedSetting: undefined,
  scaffoldElement: auditElement,
  settings: async () => (await import('./setting-receivers.ts')).serviceNowSettings,
  connector: async () => (await import('./connector.ts')).createServiceNowConnector,
  explorer: async () => (await import('./explore.ts')).instanceExplorer,
  writer: {
    recordKey: { name: 'sys_id', generated: /^[0-9a-f]{32}$/i },
    load: async () => (await import('./writes/source-writer.ts')).instanceWriter,
  },
  rowsFile: undefined,
  givenRows: async () => (await import('../given/embedded-engine.ts')).openEmbeddedEngine,
  greeting: undefined,
  browserConnection: async () => {
    const { serviceNowConnection } = await import('./connection.ts');
    return async (source, context) => (await serviceNowConnection(source, context)).connection;
  },
};
