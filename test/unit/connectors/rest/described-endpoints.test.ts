import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { describedEndpoints } from '../../../../server/src/connectors/rest/openapi/described-endpoints.ts';
import { openApiDocument, type Described } from '../../../../server/src/connectors/rest/openapi/document.ts';

const item = '{ type: object, properties: { id: { type: integer }, name: { type: string } } }';
const answer = (schema: string): string =>
  `responses: { '200': { content: { application/json: { schema: ${schema} } } } }`;
const list = `{ type: array, items: ${item} }`;

/** One row per document's paths: the endpoints, as `name path records key columns pagination`. */
const cases: readonly (readonly [what: string, paths: string, ...endpoints: string[]])[] = [
  ['a list', `/orders: { get: { ${answer(list)} } }`, 'orders /orders [] id id,name none'],
  [
    'a list in a property, the usual name first',
    `/a: { get: { ${answer(`{ properties: { errors: ${list}, data: ${list} } }`)} } }`,
    'a /a [data] id id,name none',
  ],
  [
    'a list in a property of a property',
    `/a: { get: { ${answer(`{ properties: { page: { properties: { rows: ${list} } } } }`)} } }`,
    'a /a [page.rows] id id,name none',
  ],
  ['nothing for one record', `/a/{id}: { get: { ${answer(item)} } }, /b: { get: { ${answer(item)} } }`],
  ['nothing for what only writes', `/a: { post: { ${answer(list)} } }`],
  [
    'not readable without a required value',
    `/a: { get: { parameters: [{ name: q, in: query, required: true }], ${answer(list)} } }, /b/a: { get: { ${answer(list)} } }`,
    'a /a [] id id,name none wants q',
    'a /b/a [] id id,name none',
  ],
  [
    'a required value with a default',
    `/a: { parameters: [{ name: q, in: query, required: true, schema: { default: x } }], get: { ${answer(list)} } }`,
    'a /a [] id id,name none',
  ],
  [
    'pages that have to be requested',
    `/a: { get: { parameters: [{ name: page, in: query, required: true }, { name: limit, in: query, required: true }], ${answer(list)} } }`,
    'a /a [] id id,name page page limit 1',
  ],
  [
    'not readable without a required value other than the page',
    `/a: { get: { parameters: [{ name: page, in: query, required: true }, { name: q, in: query, required: true }], ${answer(list)} } }`,
    'a /a [] id id,name page page - 1 wants q',
  ],
  [
    'not readable with a required page parameter of unknown meaning',
    `/a: { get: { parameters: [{ name: limit, in: query, required: true }], ${answer(list)} } }`,
    'a /a [] id id,name none wants limit',
  ],
  [
    'not readable without a first cursor',
    `/a: { get: { parameters: [{ name: cursor, in: query, required: true }], ${answer(`{ properties: { items: ${list}, next_cursor: { type: string } } }`)} } }`,
    'a /a [items] id id,name cursor cursor - next_cursor wants cursor',
  ],
  [
    'names that differ only by case, or hold braces',
    `/v1/Orders: { get: { ${answer(list)} } }, /v2/orders: { get: { ${answer(list)} } }, /a:b: { get: { operationId: getB, ${answer(list)} } }`,
    'Orders /v1/Orders [] id id,name none',
    'orders_2 /v2/orders [] id id,name none',
    'getB /a:b [] id id,name none',
  ],
  [
    'paging by page and total',
    `/a: { get: { parameters: [{ name: page, in: query }, { name: per_page, in: query }], ${answer(`{ properties: { items: ${list}, total: { type: integer } } }`)} } }`,
    'a /a [items] id id,name page page per_page total 1',
  ],
  [
    'paging by cursor',
    `/a: { get: { parameters: [{ name: cursor, in: query }], ${answer(`{ properties: { items: ${list}, meta: { properties: { next_cursor: { type: string } } } } }`)} } }`,
    'a /a [items] id id,name cursor cursor - meta.next_cursor',
  ],
  [
    'no pagination by a cursor that no response contains',
    `/a: { get: { parameters: [{ name: cursor, in: query }], ${answer(list)} } }`,
    'a /a [] id id,name none',
  ],
  ...(
    [
      ['{ default: 0 }', '{}', 'page page 0'],
      ['{ default: 1, minimum: 0 }', '{}', 'page page 1'],
      ['{ minimum: 0 }', '{ maximum: 20, default: 5 }', 'page page 0 20'],
      ['{ minimum: 0.5 }', '{ minimum: 200 }', 'page page 1 200'],
      ['{ minimum: -1 }', '{ maximum: 0 }', 'page page 1'],
      ['{ default: later }', '{ maximum: 1000 }', 'page page 1'],
    ] as const
  ).map(
    ([page, limit, paging]) =>
      [
        `pages by ${page} and ${limit}`,
        `/a: { get: { parameters: [{ name: page, in: query, schema: ${page} }, { name: limit, in: query, schema: ${limit} }], ${answer(list)} } }`,
        `a /a [] id id,name ${paging.replace(/^page page/, 'page page limit')}`,
      ] as const,
  ),
  [
    'no pagination by an offset that does not start at 0',
    `/a: { get: { parameters: [{ name: start, in: query, schema: { minimum: 1 } }], ${answer(list)} } }`,
    'a /a [] id id,name none',
  ],
  ['version 2.0', `/a: { get: { responses: { 200: { schema: ${list} } } } }`, 'a /a [] id id,name none'],
];

function endpointsOf(text: string): readonly string[] {
  return describedEndpoints(openApiDocument(parse(text) as Described)).map(
    ({ name, path, records, key, columns, pagination, wanted }) => {
      const paging = pagination
        ? [
            pagination.style,
            'parameter' in pagination ? pagination.parameter : '',
            pagination.limitParameter ?? '-',
            ('next' in pagination ? pagination.next : pagination.total).join('.'),
            'first' in pagination ? pagination.first : '',
            pagination.pageSize === 100 ? '' : pagination.pageSize,
          ]
            .filter((each) => each !== '')
            .join(' ')
        : 'none';
      const lacks = wanted.length > 0 ? ` wants ${wanted.join()}` : '';
      return `${name} ${path} [${records.join('.')}] ${key.join()} ${Object.keys(columns).join()} ${paging}${lacks}`;
    },
  );
}

describe('endpoints of an OpenAPI document', () => {
  for (const [what, paths, ...endpoints] of cases) {
    it(`are ${what}`, () => {
      const text = `{ paths: { ${paths.replaceAll(/(?<=^|, )(\/[^ ]*): /g, '"$1": ')} } }`;
      assert.deepEqual(endpointsOf(text), endpoints);
    });
  }

  it('have the properties of all parts of a schema, without circular ones', () => {
    const text = `
paths:
  /a: { get: { responses: { default: { content: { application/hal+json: { schema: { type: array, items: { $ref: '#/components/schemas/Dog' } } } } } } } }
components:
  schemas:
    Animal: { properties: { id: { type: string }, born: { type: string, format: date }, parent: { $ref: '#/components/schemas/Dog' } } }
    Dog: { allOf: [{ $ref: '#/components/schemas/Animal' }, { properties: { tags: { type: array }, weight: { anyOf: [{ type: number }, { type: 'null' }] } } }] }
    Loop: { $ref: '#/components/schemas/Loop' }
`;
    const [dogs] = describedEndpoints(openApiDocument(parse(text) as Described));
    assert.deepEqual(dogs?.columns, { id: 'VARCHAR', born: 'DATE', parent: 'JSON', tags: 'JSON', weight: 'DOUBLE' });
  });

  /** More paths than can be listed one after the other. */
  const nested: readonly (readonly [what: string, schemas: string])[] = [
    [
      'schemas that are parts of themselves, often',
      `Loop: { allOf: [${'{ $ref: "#/components/schemas/Loop" }, '.repeat(40)} { properties: { id: { oneOf: [{ $ref: '#/components/schemas/Id' }] } } }] },
       Id: { anyOf: [${'{ $ref: "#/components/schemas/Id" }, '.repeat(40)} { type: integer }] }`,
    ],
    [
      'schemas of which each is twice in the one before',
      [
        ...Array.from({ length: 60 }, (_, index) => {
          const twice = (name: string) => `[${`{ $ref: "#/components/schemas/${name}${index + 1}" }, `.repeat(2)}]`;
          return `${index === 0 ? 'Loop' : `L${index}`}: { allOf: ${twice('L')} }, I${index}: { oneOf: ${twice('I')} }`;
        }),
        'L60: { properties: { id: { $ref: "#/components/schemas/I0" } } }',
        'I60: { type: integer }',
      ].join(),
    ],
  ];
  for (const [what, schemas] of nested) {
    it(`are found in ${what}`, () => {
      const text = `{ paths: { /a: { get: { ${answer(`{ type: array, items: { $ref: "#/components/schemas/Loop" } }`)} } } },
        components: { schemas: { ${schemas} } } }`;
      const [found] = describedEndpoints(openApiDocument(parse(text) as Described));
      assert.deepEqual(found?.columns, { id: 'BIGINT' });
    });
  }

  it('do not exist in an invalid document', () => {
    for (const text of [
      '{}',
      '{ paths: [] }',
      '{ paths: { /a: 1, /b: { get: [] }, /c: { get: { responses: { 200: null } } } } }',
    ]) {
      assert.deepEqual(describedEndpoints(openApiDocument(parse(text) as Described)), []);
    }
  });
});
