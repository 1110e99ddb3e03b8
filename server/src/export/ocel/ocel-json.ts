import type { ExportFormat } from '../export-format.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import type { OcelTypeShape } from './log-shape.ts';
import { type OcelTextForm, writeTextLog } from './text-log.ts';
import { joinedText } from './value-text.ts';

/**
 * OCEL 2.0 as JSON (https://www.ocel-standard.org/specification/formats/json/): entities are objects, activities event
 * types, properties attributes of events and, over time, of their objects; relations and correlations are relationships
 * with qualifiers. Values are strings, as in the published schema.
 */
export const ocelJson: ExportFormat = {
  singleFile: 'graph.json',
  hasUtcSuffix: true,
  write: (store, folder, signal, options) => writeTextLog(store, folder, jsonForm, signal, options),
};

const jsonForm: OcelTextForm = {
  file: 'ocel.json',
  prepare: [],
  separator: ',',
  text: (expression) => `CAST(to_json(${expression}) AS VARCHAR)`,
  plain: (expression) => `'"' || ${expression} || '"'`,
  head: ({ objectTypes, eventTypes }) =>
    `{"objectTypes":${types(objectTypes)},\n"eventTypes":${types(eventTypes)},\n"objects":[\n`,
  middle: '],\n"events":[\n',
  tail: ']}\n',
  object: ({ id, type, attributes, relations }) =>
    joinedText`{"id":${id},"type":${type},"attributes":[${attributes}],"relationships":[${relations}]}`,
  event: ({ id, type, time, attributes, relations }) =>
    joinedText`{"id":${id},"type":${type},"time":"${time}","attributes":[${attributes}],"relationships":[${relations}]}`,
  attribute(name, value, time) {
    const begin = embeddedLiteral(`{"name":${JSON.stringify(name)},"value":`);
    return time === undefined ? joinedText`${begin}${value}}` : joinedText`${begin}${value},"time":"${time}"}`;
  },
  eventRelation: relation,
  objectRelation: relation,
};

function relation(object: string, _type: string, qualifier: string): string {
  return joinedText`{"objectId":${object},"qualifier":${qualifier}}`;
}

function types(shapes: readonly OcelTypeShape[]): string {
  return JSON.stringify(shapes.map(({ name, attributes }) => ({ name, attributes })));
}
