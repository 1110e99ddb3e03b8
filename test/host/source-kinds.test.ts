import assert from 'node:assert/strict';
import { settingsOf, sourceKinds } from '../../client/src/source-kinds.ts';

/** One row the answers to what a login asks for: `auth` as it stands in the file. */
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

describe('what adding a data source writes', () => {
  for (const [answers, auth] of logins) {
    it(`for the login ${JSON.stringify(answers['auth.kind'])} of a REST source`, () => {
      const rest = sourceKinds().find(({ kind }) => kind === 'rest');
      assert.ok(rest);
      const settings = settingsOf(rest, { baseUrl: 'https://api.example', ...answers }, 'api');
      assert.deepEqual(settings, { kind: 'rest', baseUrl: 'https://api.example', ...(auth && { auth }) });
      const asked = rest.questions.filter(
        ({ setting, when }) => setting.startsWith('auth.') && (when?.(answers) ?? true),
      );
      assert.deepEqual(
        asked.map(({ setting }) => setting.slice('auth.'.length)),
        Object.keys(auth ?? { kind: '' }),
      );
    });
  }
});
