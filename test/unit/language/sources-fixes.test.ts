import assert from 'node:assert/strict';
import { validateDataSources } from '../../../server/src/language/validation/validate-graph.ts';
import { fixesOfSources } from '../../../server/src/language/quick-fixes/sources-fixes.ts';
import { clientAuthenticationFixes } from '../../../server/src/language/quick-fixes/client-authentication.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';

const head = 'version: 1\ndataSources:\n  shop: { kind: postgresql, database: shop, user: me';

const cases: readonly (readonly [name: string, before: string, after: string, secret?: object])[] = [
  [
    'a password in the file',
    `${head}, password: "let me" }\n`,
    `${head}, password: "\${secret:shop}" }\n`,
    { name: 'shop', value: 'let me', source: 'shop' },
  ],
  [
    'a second secret of a source',
    'version: 1\ndataSources:\n  api:\n    kind: rest\n    baseUrl: https://api.example\n    auth:\n      kind: basic\n      user: "${secret:api}"\n      password: hush # not for everybody\n    endpoints: [{ name: orders, path: /orders }]\n',
    'version: 1\ndataSources:\n  api:\n    kind: rest\n    baseUrl: https://api.example\n    auth:\n      kind: basic\n      user: "${secret:api}"\n      password: "${secret:api-password}" # not for everybody\n    endpoints: [{ name: orders, path: /orders }]\n',
    { name: 'api-password', value: 'hush', source: 'api' },
  ],
  ['a misspelt time zone', `${head}, timeZone: Europe/Berln }\n`, `${head}, timeZone: Europe/Berlin }\n`],
  [
    'another word for the kind',
    'version: 1\ndataSources:\n  shop: { type: csv, path: a.csv }\n',
    'version: 1\ndataSources:\n  shop: { kind: csv, path: a.csv }\n',
  ],
  [
    'a misspelt kind',
    'version: 1\ndataSources:\n  shop:\n    x-kind: old\n    knd: csv\n    path: a.csv\n',
    'version: 1\ndataSources:\n  shop:\n    x-kind: old\n    kind: csv\n    path: a.csv\n',
  ],
  ['a misspelt key', `${head}, prt: 5432 }\n`, `${head}, port: 5432 }\n`],
];

/** A source of files before and after a type was declared for a column of `a.csv`, which may be one of several parts. */
const declared: readonly (readonly [name: string, before: string, after: string, isPart?: boolean])[] = [
  [
    'a file alone',
    '{ kind: csv, path: a.csv }',
    '{ kind: csv, path: a.csv, files: { a.csv: { types: { nr: VARCHAR } } } }',
  ],
  ['a part', '{ kind: csv, path: a.csv }', '{ kind: csv, path: a.csv, types: { nr: VARCHAR } }', true],
  [
    'a source with types',
    '{ kind: csv, path: a.csv, types: { id: DATE } }',
    '{ kind: csv, path: a.csv, types: { id: DATE, nr: VARCHAR } }',
  ],
  [
    'a file with types, in lines',
    '\n    kind: csv\n    path: a.csv\n    types: { nr: DATE } # of all\n    files:\n      a.csv:\n        types:\n          id: DATE\n',
    '\n    kind: csv\n    path: a.csv\n    types: { nr: DATE } # of all\n    files:\n      a.csv:\n        types:\n          id: DATE\n          nr: VARCHAR\n',
    true,
  ],
  [
    'a file with other settings',
    '{ kind: csv, path: a.csv, files: { a.csv: { header: true } } }',
    '{ kind: csv, path: a.csv, files: { a.csv: { header: true, types: { nr: VARCHAR } } } }',
  ],
  [
    'a file without settings',
    '{ kind: csv, path: a.csv, files: { a.csv: null } }',
    '{ kind: csv, path: a.csv, files: { a.csv: { types: { nr: VARCHAR } } } }',
  ],
];

describe('quick fixes that declare types', () => {
  for (const [name, before, after, isPart = false] of declared) {
    it(`are offered for ${name}`, () => {
      const text = (settings: string): string => `version: 1\ndataSources:\n  shop: ${settings}\n`;
      const message = 'a.csv: column nr has too many digits.';
      const proposedTypes = [{ message, file: 'a.csv', isPart, column: 'nr', types: ['VARCHAR', 'DOUBLE'] }];
      const catalogs = new Map([['shop', { complete: true, warnings: ['Other.', message], proposedTypes }]]);
      const parsed = parseDataSources(text(before));
      const problems = validateDataSources({ text: text(before), catalogs });
      const fixes = problems.flatMap((problem) => fixesOfSources(problem, parsed, catalogs));
      assert.deepEqual(
        [problems.map((problem) => problem.message), fixes.map(({ title }) => title)],
        [[`Other.\n${message}`], ['Declare "nr" of a.csv as VARCHAR', 'Declare "nr" of a.csv as DOUBLE']],
      );
      const [fix] = fixes;
      assert.equal(applyEdits(text(before), fix?.edits ?? []), text(after));
    });
  }
});

const login = (more: string): string =>
  `version: 1\ndataSources:\n  api:\n    kind: rest\n    baseUrl: https://api.example\n    auth:\n      kind: oauth2\n      grant: client_credentials\n      clientId: me # ours\n      clientSecret: "\${secret:api}"\n${more}    endpoints: [{ name: orders, path: /orders }]\n`;

describe('quick fixes of OAuth logins', () => {
  const fixed = (text: string, at: string): readonly string[] =>
    clientAuthenticationFixes(parseDataSources(text), text.indexOf(at)).map(({ edits }) => applyEdits(text, edits));
  const basic = login('      clientAuthentication: basic\n');

  it('send the credentials of the client in the other way', () => {
    assert.deepEqual(fixed(login(''), 'me # ours'), [basic]);
    assert.deepEqual(fixed(basic, 'client_credentials'), [login('      clientAuthentication: body\n')]);
    assert.deepEqual(fixed(login('      clientAuthentication: body\n'), 'clientSecret'), [basic]);
  });

  it('are offered at logins with a client only', () => {
    assert.deepEqual(fixed(login(''), 'https://'), []);
    assert.deepEqual(fixed(login('').replace('kind: oauth2', 'kind: basic'), 'me # ours'), []);
    assert.deepEqual(fixed(login('').replace('clientSecret', 'x-secret'), 'me # ours'), []);
    assert.deepEqual(fixed(login('').replace('auth:', 'auth: oauth2 #'), 'oauth2'), []);
  });
});

describe('quick fixes of sources files', () => {
  for (const [name, before, after, secret] of cases) {
    it(`fix ${name}`, () => {
      const parsed = parseDataSources(before);
      const problems = validateDataSources({ text: before });
      assert.equal(problems.length, 1);
      const [fix] = problems.flatMap((problem) => fixesOfSources(problem, parsed));
      assert.ok(fix);
      assert.equal(applyEdits(before, fix.edits), after);
      assert.deepEqual(fix.secret, secret);
      assert.deepEqual(validateDataSources({ text: after }), []);
    });
  }
});
