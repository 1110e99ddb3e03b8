import { l10n } from 'vscode';

/** One thing that is asked when a data source is added. */
export interface SourceQuestion {
  /** Path in the settings, such as `auth.user`. */
  readonly setting: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly fallback?: string;
  /** Left out of the settings when nothing is entered. */
  readonly optional?: boolean;
  /** Kept in secret storage; the settings get a reference. */
  readonly secret?: boolean;
  readonly choices?: readonly { readonly label: string; readonly description?: string; readonly value: string }[];
  /** How the text becomes a setting; the text itself when not given. */
  readonly read?: (text: string) => unknown;
  readonly problem?: (text: string) => string | undefined;
  /** Whether it is asked, given the answers so far. */
  readonly when?: (answers: Readonly<Record<string, string>>) => boolean;
}

export interface SourceKind {
  readonly kind: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** Proposed name. */
  readonly name: string;
  readonly questions: readonly SourceQuestion[];
}

/** The kinds of data sources with what each needs; a new kind is a row. */
export function sourceKinds(): readonly SourceKind[] {
  return [postgresql(), csv(), serviceNow(), rest()];
}

const list = (text: string): unknown =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function postgresql(): SourceKind {
  return {
    kind: 'postgresql',
    label: 'PostgreSQL',
    description: l10n.t('a database, or one that speaks its protocol'),
    icon: 'database',
    name: 'database',
    questions: [
      { setting: 'host', prompt: l10n.t('Name or address of the server'), fallback: 'localhost' },
      {
        setting: 'port',
        prompt: l10n.t('Port of the server'),
        fallback: '5432',
        read: Number,
        problem: (text) =>
          /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536
            ? undefined
            : l10n.t('A number from 1 to 65535'),
      },
      { setting: 'database', prompt: l10n.t('Name of the database') },
      { setting: 'user', prompt: l10n.t('User; one that may only read is enough') },
      {
        setting: 'password',
        prompt: l10n.t('Password; leave empty when the server asks for none'),
        optional: true,
        secret: true,
      },
      { setting: 'schemas', prompt: l10n.t('Schemas to read, separated by commas'), fallback: 'public', read: list },
      {
        setting: 'ssl.mode',
        prompt: l10n.t('Encryption'),
        optional: true,
        choices: [
          { label: l10n.t('When the server can'), value: '' },
          { label: l10n.t('Required'), value: 'require' },
          {
            label: l10n.t('Required, with the certificate and name of the server checked'),
            description: 'verify-full',
            value: 'verify-full',
          },
          { label: l10n.t('None'), value: 'disable' },
        ],
      },
    ],
  };
}

function csv(): SourceKind {
  return {
    kind: 'csv',
    label: l10n.t('Files'),
    description: 'CSV, TSV, Parquet, JSON',
    icon: 'files',
    name: 'files',
    questions: [
      {
        setting: 'path',
        prompt: l10n.t('Path or pattern, relative to entity-sources.yaml; several are separated by commas'),
        fallback: 'data/*.csv',
        read: (text) => {
          const paths = list(text) as readonly string[];
          return paths.length === 1 ? paths[0] : paths;
        },
      },
    ],
  };
}

function serviceNow(): SourceKind {
  return {
    kind: 'servicenow',
    label: l10n.t('IT-service-management platform'),
    description: l10n.t('its REST interfaces'),
    icon: 'server-environment',
    name: 'itsm',
    questions: [
      {
        setting: 'instanceUrl',
        prompt: l10n.t('Address of the instance'),
        placeholder: 'https://acme.example',
        problem: addressProblem,
      },
      {
        setting: 'tables',
        prompt: l10n.t('Tables to offer, separated by commas'),
        fallback: 'incident, problem, change_request',
        read: list,
      },
      {
        setting: 'auth.kind',
        prompt: l10n.t('How to log in'),
        choices: [
          { label: l10n.t('User and password'), value: 'basic' },
          { label: 'OAuth 2.0', description: l10n.t('client credentials'), value: 'oauth2' },
        ],
      },
      ...basicQuestions(),
      ...oauthQuestions(),
    ],
  };
}

/** An answer only: for the file, both are `apiKey`, told apart by what else they have. */
const keyAsParameter = 'apiKey parameter';

function rest(): SourceKind {
  return {
    kind: 'rest',
    label: 'REST',
    description: l10n.t('any other REST interface'),
    icon: 'globe',
    name: 'api',
    questions: [
      {
        setting: 'baseUrl',
        prompt: l10n.t('Address that the paths of the endpoints are appended to'),
        placeholder: 'https://api.example/v1',
        problem: addressProblem,
      },
      {
        setting: 'auth.kind',
        prompt: l10n.t('How to log in'),
        optional: true,
        read: (text) => (text === keyAsParameter ? 'apiKey' : text),
        choices: [
          { label: l10n.t('Not at all'), value: '' },
          { label: l10n.t('User and password'), value: 'basic' },
          { label: l10n.t('Key in a header'), value: 'apiKey' },
          { label: l10n.t('Key as a query parameter'), value: keyAsParameter },
          { label: 'OAuth 2.0', description: l10n.t('client credentials'), value: 'oauth2' },
        ],
      },
      ...basicQuestions(),
      {
        setting: 'auth.header',
        prompt: l10n.t('Name of the header'),
        fallback: 'Authorization',
        when: (answers) => answers['auth.kind'] === 'apiKey',
      },
      {
        setting: 'auth.parameter',
        prompt: l10n.t('Name of the parameter'),
        fallback: 'api_key',
        when: (answers) => answers['auth.kind'] === keyAsParameter,
      },
      {
        setting: 'auth.token',
        prompt: l10n.t('The key, as the header or the parameter has it'),
        secret: true,
        when: (answers) => ['apiKey', keyAsParameter].includes(answers['auth.kind'] ?? ''),
      },
      ...oauthQuestions(),
      {
        setting: 'auth.tokenUrl',
        prompt: l10n.t('Address that tokens are asked from'),
        problem: addressProblem,
        when: (answers) => answers['auth.kind'] === 'oauth2',
      },
      {
        setting: 'endpoints.0.path',
        prompt: l10n.t('Path of a first endpoint; more are added in the file'),
        placeholder: '/orders',
        problem: (text) => (text.startsWith('/') ? undefined : l10n.t('It starts with /')),
      },
      {
        setting: 'endpoints.0.name',
        prompt: l10n.t('Name of its data object'),
        placeholder: 'orders',
      },
      {
        setting: 'endpoints.0.records',
        prompt: l10n.t(
          'Where the list of records is in an answer: names separated by dots; empty when the answer is the list',
        ),
        placeholder: 'data.items',
        optional: true,
      },
    ],
  };
}

function basicQuestions(): readonly SourceQuestion[] {
  const when = (answers: Readonly<Record<string, string>>): boolean => answers['auth.kind'] === 'basic';
  return [
    { setting: 'auth.user', prompt: l10n.t('User'), when },
    { setting: 'auth.password', prompt: l10n.t('Password'), secret: true, when },
  ];
}

function oauthQuestions(): readonly SourceQuestion[] {
  const when = (answers: Readonly<Record<string, string>>): boolean => answers['auth.kind'] === 'oauth2';
  return [
    { setting: 'auth.clientId', prompt: l10n.t('Client id, as it is registered'), when },
    { setting: 'auth.clientSecret', prompt: l10n.t('Client secret'), secret: true, when },
  ];
}

function addressProblem(text: string): string | undefined {
  try {
    const { protocol } = new URL(text);
    if (protocol === 'https:' || protocol === 'http:') return undefined;
  } catch {
    // Said below.
  }
  return l10n.t('An address that starts with https://');
}

/** The settings that the answers make; secrets become references to `secretName`. */
export function settingsOf(
  { kind, questions }: SourceKind,
  answers: Readonly<Record<string, string>>,
  secretName: string,
): Readonly<Record<string, unknown>> {
  const settings: Record<string, unknown> = { kind };
  for (const { setting, secret = false, read, when } of questions) {
    const text = answers[setting]?.trim() ?? '';
    if (text === '' || (when && !when(answers))) continue;
    put(settings, setting.split('.'), secret ? `\${secret:${secretName}}` : (read?.(text) ?? text));
  }
  // Only one way to log in is offered for OAuth.
  if (answers['auth.kind'] === 'oauth2') put(settings, ['auth', 'grant'], 'client_credentials');
  return settings;
}

/** Numbers in a path are places in a list. */
function put(target: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  const [next] = rest;
  if (next === undefined) {
    target[first] = value;
    return;
  }
  target[first] ??= /^\d+$/.test(next) ? [] : {};
  put(target[first] as Record<string, unknown>, rest, value);
}
