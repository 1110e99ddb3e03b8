import assert from 'node:assert/strict';
import type { Settings } from '../../../../server/src/connectors/source-settings.ts';
import { readTrinoConfig } from '../../../../server/src/connectors/trino/read-settings.ts';
import { sessionHeaders } from '../../../../server/src/connectors/trino/session-headers.ts';

describe('headers of a Trino session', () => {
  const headersOf = (settings: Settings): Readonly<Record<string, string>> => {
    const source = { name: 'lake', folder: '/', timeZone: 'Europe/Berlin' };
    return sessionHeaders(readTrinoConfig(source, { catalog: 'Lake', user: 'ann', ...settings }), undefined);
  };

  it('name user, catalog and first schema, and always the time zone UTC', () => {
    assert.deepEqual(headersOf({ schemas: ['Shop', 'stock'] }), {
      'X-Trino-User': 'ann',
      'X-Trino-Source': 'entity-graph',
      'X-Trino-Catalog': 'lake',
      'X-Trino-Schema': 'shop',
      'X-Trino-Time-Zone': 'UTC',
      'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
    });
  });

  it('encode names beyond ASCII as UTF-8', () => {
    assert.equal(headersOf({ user: 'Jürgen' })['X-Trino-User'], 'JÃ¼rgen');
  });

  const roles: readonly (readonly [role: unknown, header: string])[] = [
    ['analyst', 'system=ROLE%7Banalyst%7D'],
    ['all', 'system=ALL'],
    ['NONE', 'system=NONE'],
    [{ lake: 'analyst', crm: 'all' }, 'lake=ROLE%7Banalyst%7D,crm=ALL'],
    [{ lake: 'a, b' }, 'lake=ROLE%7Ba%2C%20b%7D'],
  ];
  for (const [role, header] of roles) {
    it(`have the role ${JSON.stringify(role)}`, () => assert.equal(headersOf({ role })['X-Trino-Role'], header));
  }

  it('encode session properties, whose values may contain the separators', () => {
    const sessionProperties = { query_max_execution_time: '2h', 'lake.list': 'a=1, b' };
    assert.equal(
      headersOf({ sessionProperties })['X-Trino-Session'],
      'query_max_execution_time=2h,lake.list=a%3D1%2C%20b',
    );
  });
});
