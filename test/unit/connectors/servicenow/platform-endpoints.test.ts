import assert from 'node:assert/strict';
import { acceptOf, platformEndpoints } from '../../../../server/src/connectors/servicenow/platform-endpoints.ts';

describe('platformEndpoints', () => {
  const outages = {
    ...{ name: 'outages', namespace: 'x_acme', api: 'ops', path: '/outages?open=true', records: ['result'], key: [] },
    parameters: { region: 'eu', key: 'hush' },
    pagination: { style: 'page', parameter: 'page', first: 1, total: [], pageSize: 100 } as const,
  };
  const proposed = platformEndpoints({ tables: ['incident'], scripted: [outages], version: 'v2' }, ['hush']);

  it('lists every ServiceNow API for each table and for an unknown one', () => {
    const tables = (table: string): readonly string[] => [
      `GET table/${table}`,
      `GET table/${table}/SYS_ID`,
      `GET stats/${table}`,
      `POST table/${table}`,
      `PATCH table/${table}/SYS_ID`,
      `PUT table/${table}/SYS_ID`,
      `DELETE table/${table}/SYS_ID`,
    ];
    const others = proposed.filter(({ path }) => !path.startsWith('/api/now/v2/'));
    assert.deepEqual(
      proposed
        .filter((each) => !others.includes(each))
        .map(({ method, path }) => `${method} ${path.replace('/api/now/v2/', '')}`),
      [
        ...tables('incident'),
        'GET attachment',
        'GET attachment/SYS_ID',
        'GET attachment/SYS_ID/file',
        'POST attachment/file',
        'DELETE attachment/SYS_ID',
        'POST import/STAGING_TABLE',
        'POST import/STAGING_TABLE/insertMultiple',
        'GET import/STAGING_TABLE/SYS_ID',
        ...tables('TABLE'),
      ],
    );
    assert.deepEqual(others, [
      {
        label: 'outages',
        method: 'GET',
        path: '/api/x_acme/ops/outages',
        parameters: [
          { name: 'region', hint: '', values: ['eu'] },
          { name: 'key', hint: '' },
          { name: 'page', hint: 'paging' },
        ],
      },
    ]);
    const labels = proposed.map(({ label }) => label);
    assert.equal(new Set(labels).size, labels.length, 'each is chosen by its label');
  });

  it('describes only the placeholders of paths', () => {
    const hints = {
      SYS_ID: 'the sys_id of a record',
      TABLE: 'the name of a table',
      STAGING_TABLE: 'the name of a staging table',
    };
    for (const { path, pathParameters = [] } of proposed) {
      const expected = path.split('/').flatMap((segment) => Object.entries(hints).filter(([each]) => each === segment));
      const described = pathParameters.map(({ placeholder, hint }) => [placeholder, hint]);
      assert.deepEqual(described.toSorted(), expected.toSorted(), path);
    }
  });

  it('accepts JSON, and any content type for the file of an attachment', () => {
    const others = proposed.filter(({ path }) => acceptOf(path) !== undefined);
    assert.deepEqual(
      others.map(({ path }) => path),
      ['/api/now/v2/attachment/SYS_ID/file'],
    );
    assert.equal(acceptOf('/api/now/attachment/0123456789abcdef0123456789abcdef/file/'), '*/*');
    assert.equal(acceptOf('/api/now/attachment/file'), undefined);
  });

  it('starts with small pages', () => {
    const limits = proposed.flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'sysparm_limit'));
    assert.ok(limits.length > 1);
    assert.deepEqual([...new Set(limits.map(({ value }) => value))], ['10']);
  });

  it('starts writing requests with a JSON body', () => {
    for (const { method, body } of proposed) {
      if (method === 'GET' || method === 'DELETE') assert.equal(body, undefined);
      else assert.doesNotThrow(() => JSON.parse(body ?? ''));
    }
  });
});
