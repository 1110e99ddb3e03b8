import type { ExportFormat } from '../export-format.ts';
import { quoteLiteral } from '../../query/quote.ts';
import type { OcelTypeShape } from './log-shape.ts';
import { type OcelTextForm, writeTextLog } from './text-log.ts';

/** OCEL 2.0 as XML (https://www.ocel-standard.org/specification/formats/xml/), with the same content as the JSON form. */
export const ocelXml: ExportFormat = {
  singleFile: 'graph.xml',
  write: (store, folder, signal) => writeTextLog(store, folder, xmlForm, signal),
};

/** What a parser would change or refuse; the rest of the control characters cannot be written in XML 1.0 at all. */
const escapes: readonly (readonly [character: string, escape: string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
];
const unwritable = '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x{fffe}\\x{ffff}]';

const escapedSql = escapes.reduce(
  (sql, [character, escape]) => `replace(${sql}, chr(${character.codePointAt(0)}), '${escape}')`,
  `regexp_replace(value, '${unwritable}', '\u{fffd}', 'g')`,
);

const concat = (...parts: readonly string[]): string => `concat(${parts.join(', ')})`;

const xmlForm: OcelTextForm = {
  file: 'ocel.xml',
  prepare: [
    `CREATE TEMP MACRO xml_text(value) AS
      CASE WHEN regexp_matches(value, '[&<>"\\x00-\\x1f\\x{fffe}\\x{ffff}]') THEN ${escapedSql} ELSE value END`,
  ],
  separator: '',
  text: (expression) => `xml_text(${expression})`,
  plain: (expression) => expression,
  head: ({ objectTypes, eventTypes }) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<log>\n<object-types>${types('object-type', objectTypes)}</object-types>\n<event-types>${types('event-type', eventTypes)}</event-types>\n<objects>\n`,
  middle: '</objects>\n<events>\n',
  tail: '</events>\n</log>\n',
  object: ({ id, type, attributes, relations }) =>
    concat(
      `'<object id="'`,
      id,
      `'" type="'`,
      type,
      `'"><attributes>'`,
      attributes,
      `'</attributes><objects>'`,
      relations,
      `'</objects></object>'`,
    ),
  event: ({ id, type, time, attributes, relations }) =>
    concat(
      `'<event id="'`,
      id,
      `'" type="'`,
      type,
      `'" time="'`,
      time,
      `'"><attributes>'`,
      attributes,
      `'</attributes><objects>'`,
      relations,
      `'</objects></event>'`,
    ),
  attribute(name, value, time) {
    const begin = `<attribute name="${xmlText(name)}"`;
    const opened =
      time === undefined
        ? [quoteLiteral(`${begin}>`, 'duckdb')]
        : [quoteLiteral(`${begin} time="`, 'duckdb'), time, `'">'`];
    return concat(...opened, value, `'</attribute>'`);
  },
  eventRelation: (object, type, qualifier) =>
    concat(`'<object object-id="'`, object, `'" type="'`, type, `'" qualifier="'`, qualifier, `'"/>'`),
  // The published schema has `object` here, too; readers look for the element of the published example only.
  objectRelation: (object, _type, qualifier) =>
    concat(`'<relationship object-id="'`, object, `'" qualifier="'`, qualifier, `'"/>'`),
};

function types(tag: string, shapes: readonly OcelTypeShape[]): string {
  const written = shapes.map(({ name, attributes }) => {
    const own = attributes.map((each) => `<attribute name="${xmlText(each.name)}" type="${each.type}"/>`);
    return `\n<${tag} name="${xmlText(name)}"><attributes>${own.join('')}</attributes></${tag}>`;
  });
  return `${written.join('')}\n`;
}

function xmlText(plain: string): string {
  const writable = plain.replaceAll(new RegExp(unwritable.replaceAll(/\\x\{(\w+)\}/g, '\\u$1'), 'g'), '\u{fffd}');
  return escapes.reduce((text, [character, escape]) => text.replaceAll(character, escape), writable);
}
