import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { validateDataSources, validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { type JsonSchema, resolveSchema } from '../../../server/src/language/schema/schema-at.ts';
import { schemaErrors, schemaNames, schemaOf } from '../../../server/src/language/schema/validate-schema.ts';

/** Every object described by a schema, by its place in the schema. */
function objectsOf(schema: JsonSchema, path: string): readonly (readonly [string, JsonSchema])[] {
  const inside = Object.entries({
    ...prefixed('properties', schema.properties),
    ...prefixed('definitions', schema.definitions),
    ...(schema.items ? { items: schema.items } : {}),
  });
  const nested = inside.flatMap(([key, child]) => objectsOf(child, `${path}/${key}`));
  return schema.properties && path !== '' ? [[path, schema], ...nested] : nested;
}

function prefixed(prefix: string, schemas: Readonly<Record<string, JsonSchema>> = {}): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([key, value]) => [`${prefix}/${key}`, value]));
}

describe('JSON Schemas', () => {
  it('match the output of node scripts/schemas.mjs', () => {
    const written = readFileSync('schemas/entity-sources.schema.json', 'utf8');
    assert.equal(JSON.stringify(JSON.parse(written)), JSON.stringify(schemaOf('entitySources')));
  });

  for (const name of schemaNames) {
    const objects = objectsOf(schemaOf(name) as JsonSchema, `#${name}`);

    it(`describe every property of ${name}`, () => {
      const silent = objects.flatMap(([path, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, property]) => !resolveSchema(property, undefined, name).description)
          .map(([property]) => `${path}/${property}`),
      );
      assert.deepEqual(silent, []);
    });

    it(`reject unknown properties of ${name}, and allow x-`, () => {
      const open = objects
        .filter(([, schema]) => {
          const { additionalProperties, patternProperties, allOf } = schema as JsonSchema & Record<string, unknown>;
          const refuses = additionalProperties === false && patternProperties !== undefined;
          // A group with kinds is closed by the reference of its kind.
          return !refuses && typeof additionalProperties !== 'object' && !allOf;
        })
        .map(([path]) => path);
      assert.deepEqual(open, []);
    });
  }

  it('allow references where numbers are expected', () => {
    const source = {
      kind: 'postgresql',
      host: '${env:HOST}',
      port: '${env:PORT}',
      database: '${env:DB}',
      user: '${env:USER}',
      password: '${secret:shop}',
      statementTimeout: '${env:TIMEOUT}',
    };
    assert.deepEqual(schemaErrors('entitySources', { version: 1, dataSources: { shop: source } }), []);
  });

  it('accept a source of every kind', () => {
    const dataSources = {
      shop: {
        kind: 'postgresql',
        database: 'shop',
        user: 'a',
        ssl: { mode: 'verify-full', ca: 'ca.pem' },
        statementTimeout: '30s',
      },
      files: {
        kind: 'csv',
        path: 'data/*.csv',
        nullValues: ['?'],
        files: { 'trail.csv': { delimiter: ';', encoding: 'latin-1' } },
      },
      itsm: {
        kind: 'servicenow',
        instanceUrl: 'https://acme.example',
        apiVersion: 'v2',
        tables: ['incident'],
        auth: { kind: 'oauth2', grant: 'client_credentials', clientId: 'c', clientSecret: '${secret:itsm}' },
        displayValue: 'false',
        pageSize: 1000,
        concurrency: 4,
        scripted: [{ name: 'outages', namespace: 'x_acme', api: 'ops', path: '/outages', records: 'result' }],
      },
      api: {
        kind: 'rest',
        baseUrl: 'https://api.example/v1',
        auth: { kind: 'mtls', cert: 'c.pem', key: 'k.pem' },
        endpoints: [
          { name: 'orders', path: '/orders', records: 'data.items', key: 'id', pagination: { style: 'offset' } },
        ],
      },
    };
    assert.deepEqual(schemaErrors('entitySources', { version: 1, dataSources }), []);
  });

  it('report one problem per invalid setting, in the terms of its source kind', () => {
    const [problem, ...others] = validateDataSources({
      text: 'version: 1\ndataSources:\n  shop: { kind: postgresql, database: shop, usr: me }\n',
    });
    assert.deepEqual(others, []);
    assert.equal(problem?.message, '"usr" is not known here. Did you mean "user"?');
  });

  it('accept the samples', () => {
    for (const graph of [
      'incidents/incidents',
      'incidents/trail',
      'northwind/northwind',
      'itsm/itsm',
      'cross-system/cross-system',
    ]) {
      const text = readFileSync(`samples/${graph}.entity.yaml`, 'utf8');
      const schemaProblems = validateEntityGraph({ text }).filter(({ code }) => code !== 'unknown-data-source');
      assert.deepEqual(schemaProblems, [], graph);
    }
    for (const folder of ['incidents', 'northwind', 'itsm', 'cross-system']) {
      const text = readFileSync(`samples/${folder}/entity-sources.yaml`, 'utf8');
      assert.deepEqual(validateDataSources({ text }), [], folder);
    }
  });
});
