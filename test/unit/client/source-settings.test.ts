import assert from 'node:assert/strict';
import {
  type SourceAnswers,
  answerProblem,
  isAsked,
  settingsOf,
} from '../../../client/src/source-kinds/source-settings.ts';
import type { SourceKindView } from '../../../protocol/source-kinds.ts';
import { sourceKindView } from '../../../server/src/connectors/source-kind.ts';
import { sourceKind } from '../../../server/src/connectors/source-kinds.ts';

function viewOf(name: string): SourceKindView {
  const kind = sourceKind(name);
  assert.ok(kind);
  return sourceKindView(kind);
}

/** One row per answers to the questions of a login: `auth` as written to the file. */
const logins: readonly (readonly [answers: Readonly<Record<string, string>>, auth: object | undefined])[] = [
  [{ 'auth.kind': '' }, undefined],
  [
    { 'auth.kind': 'apiKey', 'auth.header': 'X-Key', 'auth.parameter': 'key', 'auth.token': 'x' },
    { kind: 'apiKey', header: 'X-Key', token: '${secret:api}' },
  ],
  [
    { 'auth.kind': 'apiKey parameter', 'auth.header': 'X-Key', 'auth.parameter': 'key', 'auth.token': 'x' },
    { kind: 'apiKey', parameter: 'key', token: '${secret:api}' },
  ],
];

/** A person's input for each kind, and the resulting file. */
const entered: readonly (readonly [kind: string, answers: SourceAnswers, settings: object])[] = [
  [
    'postgresql',
    {
      host: 'db',
      port: '5433',
      database: 'shop',
      user: 'ann',
      password: 'x',
      schemas: 'public, sales',
      'ssl.mode': '',
    },
    {
      ...{ host: 'db', port: 5433, database: 'shop', user: 'ann', password: '${secret:it}' },
      schemas: ['public', 'sales'],
    },
  ],
  ['csv', { path: 'data/*.csv' }, { path: 'data/*.csv' }],
  ['csv', { path: 'a.csv, b.csv' }, { path: ['a.csv', 'b.csv'] }],
  [
    'servicenow',
    {
      ...{ instanceUrl: 'https://acme.example', tables: 'incident', 'auth.kind': 'oauth2' },
      ...{ 'auth.user': 'left over', 'auth.clientId': 'me', 'auth.clientSecret': 'x' },
    },
    {
      ...{ instanceUrl: 'https://acme.example', tables: ['incident'] },
      auth: { kind: 'oauth2', clientId: 'me', clientSecret: '${secret:it}', grant: 'client_credentials' },
    },
  ],
  [
    'rest',
    { baseUrl: 'https://api.example', 'endpoints.0.path': '/orders', 'endpoints.0.name': 'orders' },
    { baseUrl: 'https://api.example', endpoints: [{ path: '/orders', name: 'orders' }] },
  ],
];

/** Valid answers, and invalid ones. */
const validated: readonly (readonly [
  kind: string,
  setting: string,
  good: readonly string[],
  bad: readonly string[],
])[] = [
  ['postgresql', 'port', ['1', '65535'], ['0', '65536', '1.5', '-1', '000001', 'x']],
  ['servicenow', 'instanceUrl', ['https://acme.example', 'http://127.0.0.1:80'], ['acme', 'ftp://acme.example']],
  ['rest', 'endpoints.0.path', ['/orders'], ['orders']],
];

describe('Add Data Source', () => {
  for (const [answers, auth] of logins) {
    it(`writes the login ${JSON.stringify(answers['auth.kind'])} of a REST source`, () => {
      const rest = viewOf('rest');
      const settings = settingsOf(rest, { baseUrl: 'https://api.example', ...answers }, 'api');
      assert.deepEqual(settings, { kind: 'rest', baseUrl: 'https://api.example', ...(auth && { auth }) });
      const asked = rest.questions.filter(
        (question) => question.setting.startsWith('auth.') && isAsked(question, answers),
      );
      assert.deepEqual(
        asked.map(({ setting }) => setting.slice('auth.'.length)),
        Object.keys(auth ?? { kind: '' }),
      );
    });
  }

  for (const [kind, answers, settings] of entered) {
    it(`writes ${kind} settings of ${JSON.stringify(answers)}`, () => {
      // Keys are written in this order.
      assert.equal(JSON.stringify(settingsOf(viewOf(kind), answers, 'it')), JSON.stringify({ kind, ...settings }));
    });
  }

  for (const [kind, setting, good, bad] of validated) {
    it(`accepts only valid values for ${setting} of ${kind}`, () => {
      const question = viewOf(kind).questions.find((each) => each.setting === setting);
      assert.ok(question);
      assert.deepEqual(
        good.map((text) => answerProblem(question, text)),
        good.map(() => undefined),
      );
      for (const text of bad) assert.match(answerProblem(question, text) ?? '', /\w/);
    });
  }
});
