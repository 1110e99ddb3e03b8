import type { ExportFormat } from '../export-format.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { xmlText } from '../../../../protocol/xml-text.ts';
import { createXmlTextSql, xmlTextSql } from '../xml-text.ts';
import type { OcelTypeShape } from './log-shape.ts';
import { type OcelTextForm, writeTextLog } from './text-log.ts';
import { joinedText } from './value-text.ts';

/** OCEL 2.0 as XML (https://www.ocel-standard.org/specification/formats/xml/), with the same content as JSON. */
export const ocelXml: ExportFormat = {
  singleFile: 'graph.xml',
  hasUtcSuffix: true,
  write: (store, folder, signal, options) => writeTextLog(store, folder, xmlForm, signal, options),
};

const xmlForm: OcelTextForm = {
  file: 'ocel.xml',
  prepare: [createXmlTextSql],
  separator: '',
  text: xmlTextSql,
  plain: (expression) => expression,
  head: ({ objectTypes, eventTypes }) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<log>\n<object-types>${types('object-type', objectTypes)}</object-types>\n<event-types>${types('event-type', eventTypes)}</event-types>\n<objects>\n`,
  middle: '</objects>\n<events>\n',
  tail: '</events>\n</log>\n',
  object: ({ id, type, attributes, relations }) =>
    joinedText`<object id="${id}" type="${type}"><attributes>${attributes}</attributes><objects>${relations}</objects></object>`,
  event: ({ id, type, time, attributes, relations }) =>
    joinedText`<event id="${id}" type="${type}" time="${time}"><attributes>${attributes}</attributes><objects>${relations}</objects></event>`,
  attribute(name, value, time) {
    const begin = embeddedLiteral(`<attribute name="${xmlText(name)}"`);
    const opened = time === undefined ? joinedText`${begin}>` : joinedText`${begin} time="${time}">`;
    return joinedText`${opened}${value}</attribute>`;
  },
  eventRelation: (object, type, qualifier) =>
    joinedText`<object object-id="${object}" type="${type}" qualifier="${qualifier}"/>`,
  // The published schema has `object` here too, but readers look for the element of the published example.
  objectRelation: (object, _type, qualifier) =>
    joinedText`<relationship object-id="${object}" qualifier="${qualifier}"/>`,
};

function types(tag: string, shapes: readonly OcelTypeShape[]): string {
  const written = shapes.map(({ name, attributes }) => {
    const own = attributes.map((each) => `<attribute name="${xmlText(each.name)}" type="${each.type}"/>`);
    return `\n<${tag} name="${xmlText(name)}"><attributes>${own.join('')}</attributes></${tag}>`;
  });
  return `${written.join('')}\n`;
}
