import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { describedOperations } from '../../../../server/src/connectors/rest/openapi/described-operations.ts';
import { openApiDocument, type Described } from '../../../../server/src/connectors/rest/openapi/document.ts';

const operationsOf = (text: string, basePath = '/') =>
  describedOperations(openApiDocument(parse(text) as Described), basePath);

const version3 = `
openapi: 3.1.0
servers: [{ url: https://x.example/v1 }]
paths:
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, description: "Number of the order\\nsecond line" }
      - { name: view, in: query, schema: { type: string, enum: [short, long] } }
    get: { summary: One order }
    patch: { operationId: changeOrder, requestBody: { $ref: '#/components/requestBodies/Order' } }
    delete: { parameters: [{ name: view, in: query, required: true, schema: { enum: [none], default: none } }] }
    trace: {}
  /orders:
    post:
      parameters: [{ $ref: '#/components/parameters/Tenant' }, { name: dry, in: query, schema: { type: boolean } }]
      requestBody: { $ref: '#/components/requestBodies/Order' }
  /files: { put: { requestBody: { content: { multipart/form-data: {}, image/png: {} } } } }
components:
  parameters: { Tenant: { name: X-Tenant, in: header, required: true, example: t1 } }
  requestBodies:
    Order: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
  schemas:
    Order:
      required: [state]
      properties:
        id: { type: integer, readOnly: true }
        state: { type: string, enum: [open, done] }
        at: { type: string, format: date-time, example: '2024-01-01T00:00:00Z' }
        paid: { type: boolean }
        amount: { type: [number, 'null'] }
        lines: { type: array, items: { properties: { item: { type: string } } } }
        tags: { type: array, items: { type: string } }
        parent: { $ref: '#/components/schemas/Order' }
        extra: { type: object }
`;

describe('operations of an OpenAPI document', () => {
  it('are all listed, below the server path unless the source URL contains it', () => {
    const paths = ['GET /orders/{id}', 'PATCH /orders/{id}', 'DELETE /orders/{id}', 'POST /orders', 'PUT /files'];
    const shown = (basePath: string) => operationsOf(version3, basePath).map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(
      shown('/'),
      paths.map((each) => each.replace(' /', ' /v1/')),
    );
    assert.deepEqual(shown('/v1'), paths);
  });

  it('have a description and the location of each parameter; operation parameters override path parameters', () => {
    const [get, patch, remove, post] = operationsOf(version3);
    assert.deepEqual([get?.summary, patch?.summary, remove?.summary], ['One order', 'changeOrder', '']);
    assert.deepEqual(get?.parameters, [
      { name: 'id', place: 'path', isRequired: true, comment: 'Number of the order', values: [] },
      { name: 'view', place: 'query', isRequired: false, comment: '', values: ['short', 'long'] },
    ]);
    assert.deepEqual(remove?.parameters[1], {
      ...{ name: 'view', place: 'query', isRequired: true, comment: '', values: ['none'], value: 'none' },
    });
    assert.deepEqual(
      post?.parameters.map(({ name, place, values, value }) => [name, place, values.join(), value]),
      [
        ['X-Tenant', 'header', '', 't1'],
        ['dry', 'query', 'true,false', undefined],
      ],
    );
  });

  it('start with a body generated from the schema, changes with its required fields', () => {
    const [get, patch, , post, put] = operationsOf(version3);
    assert.equal(get?.body, undefined);
    assert.deepEqual(JSON.parse(patch?.body ?? ''), { state: 'open' });
    const { parent, ...order } = JSON.parse(post?.body ?? '') as Record<string, unknown>;
    assert.deepEqual(order, {
      ...{
        state: 'open',
        at: '2024-01-01T00:00:00Z',
        paid: false,
        amount: 0,
        lines: [{ item: '' }],
        tags: [],
        extra: {},
      },
    });
    assert.ok(parent !== null && (post?.body?.length ?? 0) < 10_000, 'a schema that is a part of itself ends');
    assert.deepEqual([put?.body, put?.otherBodies], [undefined, ['multipart/form-data', 'image/png']]);
  });

  it('use the examples of the document', () => {
    const body = (media: string) =>
      operationsOf(`{ paths: { /a: { post: { requestBody: { content: { application/json: ${media} } } } } } }`)[0]
        ?.body;
    assert.equal(body('{ examples: { one: { value: { a: 1 } } } }'), '{\n  "a": 1\n}');
    assert.equal(body('{ example: [1] }'), '[\n  1\n]');
    assert.equal(body('{ schema: { example: { b: 2 }, properties: { c: {} } } }'), '{\n  "b": 2\n}');
    assert.equal(body('{ schema: {} }'), '{}');
  });

  it('are read from version 2.0', () => {
    const [post, put] = operationsOf(`
swagger: '2.0'
basePath: /v2
paths:
  /a:
    post: { parameters: [{ name: order, in: body, schema: { properties: { n: { type: integer } } } }, { name: q, in: query, type: array, items: { type: string, enum: [x, y] } }] }
    put: { parameters: [{ name: file, in: formData, type: file }] }
`);
    assert.deepEqual([post?.path, post?.body], ['/v2/a', '{\n  "n": 0\n}']);
    assert.deepEqual(
      post?.parameters.map(({ name, values }) => [name, values]),
      [['q', ['x', 'y']]],
    );
    assert.deepEqual([put?.parameters, put?.otherBodies], [[], ['multipart/form-data']]);
  });

  it('do not exist in an invalid document', () => {
    for (const text of ['{}', '{ paths: [] }', '{ paths: { x-a: { get: {} }, /a: 1, /b: { get: [], put: 1 } } }']) {
      assert.deepEqual(operationsOf(text), []);
    }
  });

  it('tolerate invalid parameters and bodies', () => {
    const text = `{ paths: { /a: { parameters: 1, post: { parameters: [1, { in: query }, { name: x, in: nowhere }], requestBody: { content: { application/json: 1 } } } } } }`;
    assert.deepEqual(operationsOf(text), [{ method: 'POST', path: '/a', summary: '', parameters: [], body: '{}' }]);
  });
});
