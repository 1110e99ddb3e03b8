import type { SourceKind, UnencryptedSetting } from '../source-kind.ts';
import { translatable } from '../translatable.ts';
import { postgresqlQuestions } from './questions.ts';
import { isThisMachine } from '../../model/this-machine.ts';
import type { Settings } from '../source-settings.ts';
import settingsSchema from './settings.schema.json' with { type: 'json' };

/** PostgreSQL databases, and others with its protocol. */
export const postgresqlKind: SourceKind = {
  name: 'postgresql',
  label: 'PostgreSQL',
  description: translatable('a database, or one that speaks its protocol'),
  icon: 'database',
  docPage: 'docs/data-sources.md',
  proposedName: 'database',
  questions: postgresqlQuestions,
  dialect: 'postgresql',
  capabilities: {
    hasRowOrder: false,
    isFetched: false,
    isAtHand: false,
    isReadByDuckdb: false,
    hasSnapshot: true,
    buildsInside: true,
  },
  otherNames: ['postgres'],
  tellingSettings: ['database', 'host', 'schemas'],
  snippet: {
    label: 'New PostgreSQL source',
    description: 'A PostgreSQL database, or another database with its protocol.',
    lines: [
      '${1:name}:',
      '  kind: postgresql',
      '  host: ${2:localhost}',
      '  database: ${3:database}',
      '  user: ${4:user}',
      '  password: \\${secret:${1:name}}$0',
    ],
  },
  settingsSchema: settingsSchema.definitions,
  kindNote: 'and databases that speak its protocol',
  fileSetting: undefined,
  unencryptedSetting: unencryptedMode,
  scaffoldElement: undefined,
  settings: async () => (await import('./setting-receivers.ts')).postgresqlSettings,
  connector: async () => (await import('./connector.ts')).createPostgresqlConnector,
  explorer: undefined,
  writer: undefined,
  rowsFile: undefined,
  givenRows: async () => (await import('./given/given-engine.ts')).openGivenEngine,
  browserConnection: undefined,
};

/** Modes that fall back to an unencrypted connection, which an attacker can enforce. */
const fallingBack = ['allow', 'prefer'];

/** The TLS mode of a source on another machine, if it permits an unencrypted connection. */
function unencryptedMode({ host = 'localhost', ssl }: Settings): UnencryptedSetting | undefined {
  const mode = typeof ssl === 'object' && ssl !== null ? (ssl as { readonly mode?: unknown }).mode : undefined;
  if (typeof mode !== 'string' || !fallingBack.includes(mode)) return undefined;
  // References are not resolved here.
  if (typeof host !== 'string' || host.includes('${') || isThisMachine(host)) return undefined;
  return { host, path: ['ssl', 'mode'], value: mode, best: 'verify-full', least: 'require' };
}
