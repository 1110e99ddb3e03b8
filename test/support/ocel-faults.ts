import { Ajv } from 'ajv';
import { SaxesParser } from 'saxes';

/**
 * The requirements of OCEL 2.0 for its text formats, independent of the program: exports are validated against the
 * standard, not against the reader of `check`.
 */

const text = { type: 'string' };
const name = { type: 'string', minLength: 1 };
const time = { type: 'string', format: 'zoned-time' };
const list = (items: object): object => ({ type: 'array', items });
const record = (properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const valueTypes = ['string', 'time', 'integer', 'float', 'boolean'];
const types = list(record({ name, attributes: list(record({ name, type: { enum: valueTypes } })) }));
const relationships = list(record({ objectId: name, qualifier: text }));

const jsonSchema = record({
  objectTypes: types,
  eventTypes: types,
  objects: list(record({ id: name, type: name, attributes: list(record({ name, value: text, time })), relationships })),
  events: list(record({ id: name, type: name, time, attributes: list(record({ name, value: text })), relationships })),
});

const isJsonLog = new Ajv({ allErrors: true, strict: true })
  .addFormat('zoned-time', {
    type: 'string',
    validate: (value: string) => isTime(value) && /(Z|[+-]\d\d:\d\d)$/.test(value),
  })
  .compile(jsonSchema);

/** Violations of a JSON log. */
export function jsonFaults(log: string): readonly string[] {
  if (isJsonLog(JSON.parse(log))) return [];
  return (isJsonLog.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** RFC 3339 and `xs:dateTime`: four digits of year, not 0000, and a day that there is. */
function isTime(value: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(value);
  if (!parts || parts[1] === '0000') return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
}

interface XmlRule {
  readonly required: readonly string[];
  /** In this order; `many` may be repeated, the others occur once. */
  readonly children: readonly string[];
  readonly many?: true;
  readonly text?: true;
}

const none: XmlRule = { required: [], children: [] };
const typesRule = (child: string): XmlRule => ({ ...none, children: [child], many: true });
const typeRule: XmlRule = { required: ['name'], children: ['attributes'] };
const attributesRule: XmlRule = { ...none, children: ['attribute'], many: true };
const eventObjectsRule: XmlRule = { ...none, children: ['object'], many: true };
const eventObjectRule: XmlRule = { required: ['object-id', 'type', 'qualifier'], children: [] };
// The element of the published example, which readers expect; the schema has `object` here, too
// (docs/exports.md#how-exports-are-verified).
const relatedObjectsRule: XmlRule = { ...none, children: ['relationship'], many: true };
const relatedObjectRule: XmlRule = { required: ['object-id', 'qualifier'], children: [] };
const declaredRule: XmlRule = { required: ['name', 'type'], children: [] };

const xmlRules: Readonly<Record<string, XmlRule>> = {
  log: { ...none, children: ['object-types', 'event-types', 'objects', 'events'] },
  'log/object-types': typesRule('object-type'),
  'log/event-types': typesRule('event-type'),
  'log/objects': typesRule('object'),
  'log/events': typesRule('event'),
  'log/objects/object': { required: ['id', 'type'], children: ['attributes', 'objects'] },
  'log/events/event': { required: ['id', 'type', 'time'], children: ['attributes', 'objects'] },
  'log/objects/object/attributes/attribute': { required: ['name', 'time'], children: [], text: true },
  'log/events/event/attributes/attribute': { required: ['name'], children: [], text: true },
  ...Object.fromEntries(
    ['object', 'event'].flatMap((kind) => [
      [`log/${kind}-types/${kind}-type`, typeRule],
      [`log/${kind}-types/${kind}-type/attributes`, attributesRule],
      [`log/${kind}-types/${kind}-type/attributes/attribute`, declaredRule],
      [`log/${kind}s/${kind}/attributes`, attributesRule],
    ]),
  ),
  'log/events/event/objects': eventObjectsRule,
  'log/events/event/objects/object': eventObjectRule,
  'log/objects/object/objects': relatedObjectsRule,
  'log/objects/object/objects/relationship': relatedObjectRule,
};

/** Violations of an XML log. Throws when it is not well-formed. */
export function xmlFaults(log: string): readonly string[] {
  const faults: string[] = [];
  const path: string[] = [];
  const children: string[][] = [[]];
  const ids = new Map<string, string>();
  const references: (readonly [id: string | undefined, type: string | undefined])[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    children.at(-1)?.push(tag.name);
    path.push(tag.name);
    children.push([]);
    const place = path.join('/');
    const own = tag.attributes;
    const rule = xmlRules[place];
    if (!rule) return void faults.push(`${place} is not known`);
    const given = Object.keys(own).toSorted();
    if (given.join() !== rule.required.toSorted().join())
      faults.push(`${place} has the attributes ${given.join(', ')}`);
    if (own['time'] !== undefined && !isTime(own['time'])) faults.push(`${place} has the time ${own['time']}`);
    if (rule === declaredRule && !valueTypes.includes(own['type'] ?? '')) faults.push(`${place} is ${own['type']}`);
    if (own['id'] !== undefined) {
      const key = `${path[1]} ${own['id']}`;
      if (ids.has(key)) faults.push(`${key} is there twice`);
      ids.set(key, own['type'] ?? '');
    }
    if (rule === eventObjectRule || rule === relatedObjectRule) references.push([own['object-id'], own['type']]);
  });
  parser.on('text', (found) => {
    if (!xmlRules[path.join('/')]?.text && found.trim() !== '') faults.push(`${path.join('/')} has the text ${found}`);
  });
  parser.on('closetag', () => {
    const place = path.join('/');
    const found = children.pop() ?? [];
    const rule = xmlRules[place];
    const expected = rule?.many ? found.map(() => rule.children[0]) : (rule?.children ?? []);
    if (found.join() !== expected.join()) faults.push(`${place} contains ${found.join(', ')}`);
    path.pop();
  });
  parser.write(log).close();
  for (const [id, type] of references) {
    const found = ids.get(`objects ${id}`);
    if (found === undefined || found !== (type ?? found)) faults.push(`${id} of the type ${type} is no object`);
  }
  return faults;
}
