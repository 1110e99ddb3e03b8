import assert from 'node:assert/strict';
import { resolveSettings, scrubSecrets, secretVariableName } from '../../../server/src/connectors/resolve-settings.ts';

const secrets: Readonly<Record<string, string>> = { shop: 'pa$$ word', 'a b': '' };
const context = { readSecret: async (name: string) => secrets[name], environment: { HOST: 'db.example', EMPTY: '' } };

describe('resolveSettings', () => {
  it('fills references in, at any depth', async () => {
    const settings = {
      host: '${env:HOST}',
      url: 'https://${env:HOST}/${secret:shop}${env:EMPTY}',
      port: 5432,
      nested: { list: ['${secret:shop}', 1, null, { deep: '${secret:a b}' }] },
      plain: '$env:HOST {secret:shop} ${other:x}',
    };
    assert.deepEqual(await resolveSettings('shop', settings, context), {
      settings: {
        host: 'db.example',
        url: 'https://db.example/pa$$ word',
        port: 5432,
        nested: { list: ['pa$$ word', 1, null, { deep: '' }] },
        plain: '$env:HOST {secret:shop} ${other:x}',
      },
      secrets: ['pa$$ word', 'pa$$ word', ''],
    });
  });

  it('says how to set a missing secret', async () => {
    await assert.rejects(resolveSettings('shop', { ssl: { key: '${secret:ops.db-2}' } }, context), {
      name: 'SourceError',
      code: 'secret-missing',
      message: 'Data source shop needs the secret ops.db-2 for ssl.key, and it is not set.',
      details: {
        remedy:
          'VS Code asks for it when the source is used; on the command line set the environment variable ENTITY_GRAPH_SECRET_OPS_DB_2.',
      },
    });
  });

  it('says how to set a missing environment variable', async () => {
    await assert.rejects(resolveSettings('shop', { list: ['x', '${env:NOPE}'] }, context), {
      name: 'SourceError',
      code: 'environment-variable-missing',
      message: 'Data source shop needs the environment variable NOPE for list[1], and it is not set.',
      details: { remedy: 'Set NOPE in the environment from which VS Code or the command line is started.' },
    });
  });
});

describe('scrubSecrets', () => {
  const cases: readonly (readonly [text: string, secrets: readonly string[], scrubbed: string])[] = [
    ['login of x with hush failed: hush', ['hush'], 'login of x with *** failed: ***'],
    ['https://u:pa%24%24%20word@h', ['pa$$ word'], 'https://u:***@h'],
    ['https://h/?key=pa+ss%27%28word', ["pa ss'(word"], 'https://h/?key=***'],
    ['hushhush and hush', ['hush', 'hushhush'], '*** and ***'],
    ['{"pw":"a\\"b\\\\c"}', ['a"b\\c'], '{"pw":"***"}'],
    ['{"Authorization":"Basic dTpnZWhlaW0gJiBzw7zDnw=="}', ['geheim & süß'], '{"Authorization":"Basic ***"}'],
    ['Basic dTpnZWhlaW0gJiBzw7zDnw==', ['another'], 'Basic dTpnZWhlaW0gJiBzw7zDnw=='],
    ['nothing', [''], 'nothing'],
  ];
  for (const [text, hidden, scrubbed] of cases) {
    it(text, () => assert.equal(scrubSecrets(text, hidden), scrubbed));
  }
});

describe('secretVariableName', () => {
  it('upper-cases and replaces what cannot stand in a variable', () => {
    assert.equal(secretVariableName('ops-db.é1'), 'ENTITY_GRAPH_SECRET_OPS_DB__1');
  });
});
