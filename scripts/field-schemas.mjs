// JSON Schemas of fields, from the tables in protocol/fields/.
const forms = {
  text: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  name: { type: 'string' },
  dataSource: { type: 'string', minLength: 1 },
  dataObject: { type: 'string' },
  entityType: { type: 'string', minLength: 1 },
  column: { type: 'string' },
  key: { type: ['string', 'array'], minLength: 1, minItems: 1, items: definition('column') },
  sql: { type: 'string' },
  timeZone: { type: 'string', minLength: 1 },
  flag: { type: 'boolean' },
  properties: {
    type: ['string', 'array'],
    items: definition('property'),
    uniqueItems: true,
    if: { type: 'string' },
    then: { enum: ['all'] },
  },
  rowCorrelations: { type: 'array', items: definition('rowCorrelation') },
  expectations: definition('rowExpectations'),
  lifecycle: {
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    required: ['column', 'start', 'end'],
    properties: {
      column: definition('lifecycleColumn'),
      start: definition('transitions'),
      end: definition('transitions'),
    },
  },
  activityNames: { type: 'object', minProperties: 1, additionalProperties: definition('newActivityName') },
  processContext: definition('processContext'),
  end: { type: 'string' },
  mappings: { type: 'array', items: definition('mapping') },
  sourceMappings: { type: 'array', items: definition('sourceMapping') },
  targetMappings: { type: 'array', items: definition('targetMapping') },
  crossTable: definition('crossTable'),
  path: { type: 'array', minItems: 1, items: definition('pathStep') },
  correlation: { enum: ['both', 'source', 'target', 'none'] },
};

/** The `properties` of an object with these fields. */
export function propertiesOf(fields) {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)]));
}

function schemaOf({ type, needed, notEmpty, description, examples, expression }) {
  const documented = { ...(needed && { 'x-needed': true }), ...(description && { description }) };
  const shown = examples && { examples };
  if (type === 'time') return { ...documented, ...shown, ...(expression ? computableTime : columnTime) };
  return { ...documented, ...forms[type], ...(notEmpty && { minLength: 1 }), ...shown };
}

const columnTime = {
  type: ['string', 'object'],
  minLength: 1,
  additionalProperties: false,
  patternProperties: { '^x-': {} },
  required: ['column'],
  properties: { column: definition('timeColumn'), atEndOfDay: definition('atEndOfDay') },
};

const computableTime = {
  type: ['string', 'object'],
  additionalProperties: false,
  patternProperties: { '^x-': {} },
  anyOf: [{ required: ['expression'] }, { required: ['column'] }],
  not: { type: 'object', required: ['column', 'expression'] },
  properties: {
    column: definition('timeColumn'),
    expression: definition('timeExpression'),
    atEndOfDay: definition('atEndOfDay'),
  },
};

function definition(name) {
  return { $ref: `#/definitions/${name}` };
}
