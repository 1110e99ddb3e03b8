import assert from 'node:assert/strict';
import { validateDataSources } from '../../../server/src/language/validation/validate-graph.ts';
import { isSourceError } from '../../../server/src/connectors/source-error.ts';
import { permitAllUses } from '../../../server/src/connectors/permit-use.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { connectorOf } from '../../../server/src/project/open-project.ts';
import { sourceKinds } from '../../../server/src/connectors/source-kinds.ts';
import { settingPositions } from '../../support/settings-positions.ts';

const secret = 'hunter2x7';
/** Only digits, which YAML reads as a number. */
const number = '847362';

/** What people write where a secret belongs, or by mistake elsewhere. */
const settings = [
  'password: SECRET',
  'password: [SECRET]',
  'password: { value: SECRET }',
  'password: *SECRET',
  'password: !SECRET',
  'password: &SECRET',
  'password: @SECRET',
  'password: %SECRET',
  'password: "SECRET',
  "password: 'a'SECRET",
  'password: "\\SECRET"',
  'password: >SECRET',
  'password: |SECRET',
  'password: {SECRET',
  'password: a: SECRET',
  'password:SECRET',
  'password SECRET',
  'password = SECRET',
  'passwort: SECRET',
  'SECRET',
  '- SECRET',
  'password: ${secret:A}SECRET',
  'password: ${secret:SECRET',
  'auth: SECRET',
  'auth: { kind: basic, user: a, password: [SECRET] }',
  'auth: { kind: bearer, token: { a: SECRET } }',
  'auth: { kind: bearer, token:SECRET }',
  'auth: { kind: bearer, token SECRET }',
  'auth: { kind: SECRET }',
  'auth: { kind: apiKey, header: X, value: SECRET }',
  'auth: { token: SECRET, kind: oauth2, tokenUrl: "//u:SECRET@[" }',
  'headers: { Authorization: [SECRET] }',
  'headers: { X-Key: { a: SECRET } }',
  'headers: SECRET',
  'baseUrl: "https://u:SECRET@host"',
  'baseUrl: "u:SECRET@["',
  'baseUrl: [ "https://u:SECRET@host" ]',
  'proxy: "http://u:SECRET@[x"',
  'proxy: { u: SECRET }',
  'ssl: { key: [SECRET], passphrase: [SECRET] }',
  'endpoints: [{ name: a, path: /a, parameters: { api_key: [SECRET] } }]',
  'endpoints: [{ name: a, path: /a, parameters: SECRET }]',
];

const kinds = [...sourceKinds().map(({ name }) => name), 'none'];

function texts(): readonly string[] {
  const placed = kinds.flatMap((kind) =>
    settings.flatMap((setting) => [
      `version: 1\ndataSources:\n  shop:\n    kind: ${kind}\n    ${setting}\n    user: me\n`,
      `version: 1\ndataSources:\n  shop: { kind: ${kind}, ${setting}, user: me }\n`,
    ]),
  );
  const everywhere = ['SECRET', ['SECRET'], { SECRET: null }].flatMap((value) =>
    settingPositions(value)
      // Names that people give are those of columns, files and parameters.
      .filter(({ hasOwnNames }) => !(hasOwnNames && 'SECRET' in Object(value)))
      .map(({ settings }) => `version: 1\ndataSources:\n  shop: ${JSON.stringify(settings)}\n`),
  );
  return [
    ...placed,
    ...everywhere,
    'version: 1\ndataSources:\n  shop: postgresql://me:SECRET@host/db\n',
    'version: 1\ndataSources: SECRET\n',
    'version: 1\npassword: SECRET\ndataSources: {}\n',
    'SECRET',
  ];
}

const project = { readSecret: async () => undefined, permitUses: permitAllUses, environment: {} };

describe('messages about data sources', () => {
  for (const [name, value] of Object.entries({ 'a text': secret, 'a number': number })) {
    it(`never quote ${name} that may be a secret: problems of files`, () => {
      const told: string[] = [];
      for (const text of texts().map((each) => each.replaceAll('SECRET', value))) {
        for (const { message } of validateDataSources({ text }))
          if (message.includes(value)) told.push(`${message}\n${text}`);
      }
      assert.deepEqual(told, []);
    });

    it(`never quote ${name} that may be a secret: failures of connections`, async () => {
      const told: string[] = [];
      for (const text of texts().map((each) => each.replaceAll('SECRET', value))) {
        const file = { path: '/shop/entity-sources.yaml', text, ...parseDataSources(text) };
        const [source] = file.sources.sources;
        if (!source) continue;
        const error = await connectorOf(file, source, project).then(
          (connector) => connector.close(),
          (reason: unknown) => reason,
        );
        if (!isSourceError(error)) continue;
        const said = JSON.stringify([error.message, error.details.remedy, error.details.file]);
        if (said.includes(value)) told.push(`${said}\n${text}`);
      }
      assert.deepEqual(told, []);
    });
  }
});
