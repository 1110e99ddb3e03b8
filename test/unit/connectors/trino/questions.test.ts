import assert from 'node:assert/strict';
import { isAsked, settingsOf } from '../../../../client/src/source-kinds/source-settings.ts';
import { sourceKindView } from '../../../../server/src/connectors/source-kind.ts';
import { sourceKind } from '../../../../server/src/connectors/source-kinds.ts';
import { readTrinoConfig } from '../../../../server/src/connectors/trino/read-settings.ts';

describe('questions of Add Data Source for Trino', () => {
  const settings = (answers: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> => {
    const kind = sourceKind('trino');
    assert.ok(kind);
    return settingsOf(sourceKindView(kind), { catalog: 'lake', ...answers }, 'it');
  };
  const configOf = (answers: Readonly<Record<string, string>>) => {
    const { port, user } = readTrinoConfig({ name: 'it', folder: '/', timeZone: 'UTC' }, settings(answers));
    return [port, user];
  };

  it('use the user of the login and, for another host without a port, the default port of HTTPS', () => {
    const answers = {
      host: 'trino.example.com',
      port: '',
      'auth.kind': 'basic',
      'auth.user': 'ann',
      'auth.password': 'x',
    };
    assert.deepEqual(settings(answers), {
      ...{ kind: 'trino', host: 'trino.example.com', catalog: 'lake' },
      auth: { kind: 'basic', user: 'ann', password: '${secret:it}' },
    });
    assert.deepEqual(configOf(answers), [443, 'ann']);
  });

  it('use the default port of HTTP and the given user for this machine without a login', () => {
    assert.deepEqual(configOf({ host: 'localhost', port: '', 'auth.kind': '', user: 'me' }), [8080, 'me']);
  });

  it('ask for the user once, and propose no port, because the default depends on the host', () => {
    const { questions = [] } = sourceKind('trino') ?? {};
    const asked = (login: string): readonly string[] =>
      questions.filter((each) => isAsked(each, { 'auth.kind': login })).map(({ setting }) => setting);
    const place = ['host', 'port', 'catalog', 'schemas', 'auth.kind'];
    assert.deepEqual(asked('basic'), [...place, 'auth.user', 'auth.password']);
    assert.deepEqual(asked('bearer'), [...place, 'auth.token']);
    assert.deepEqual(asked(''), [...place, 'user']);
    assert.equal(questions.find(({ setting }) => setting === 'port')?.fallback, undefined);
  });
});
