import { join } from 'node:path';
import type { ValueType } from '../../graph-schema/value-type.ts';
import type { ElementProperty } from '../element-tables.ts';
import { assertEventTimes } from '../event-times.ts';
import type { ExportFormat } from '../export-format.ts';
import { floatText } from '../float-text.ts';
import { type IdRange, idRanges, inRange } from '../id-ranges.ts';
import { writeLinesFile } from '../lines-file.ts';
import { writeUnsupportedValuesAsTexts } from '../unsupported-values.ts';
import { timeText } from '../ocel/value-text.ts';
import { quoteLiteral } from '../../query/quote.ts';
import { writableTime } from '../writable-time.ts';
import { createXmlTextSql, xmlText, xmlTextSql } from '../xml-text.ts';
import { chosenEntityType } from './entity-type.ts';
import {
  type CaseValues,
  type LogValue,
  type OwnAttribute,
  freeNames,
  readCaseValues,
  readLogRows,
  takePlaces,
} from './log-rows.ts';

/** The events of the entities of one type as XES (IEEE 1849-2016): a trace for each entity that has events. */
export const xes: ExportFormat = {
  singleFile: 'log.xes',
  hasCases: true,
  async write(store, folder, signal, { entityType } = {}) {
    await assertEventTimes(store, { signal });
    const type = await chosenEntityType(store, entityType, { signal });
    await writeUnsupportedValuesAsTexts(store, ['time', 'integer'], { signal });
    await store.run(createXmlTextSql, { signal });
    const { sql, values } = await readLogRows(store, type, valueSql, { signal });
    // Sorted once, so that each part of the file is read where it lies.
    await store.run(`CREATE TEMP TABLE log_row AS ${sql} ORDER BY case_id, event_id`, { signal });
    const cases = await readCaseValues(store, type, valueSql, { signal });
    if (cases.sql !== undefined) {
      await store.run(`CREATE TEMP TABLE log_case AS ${cases.sql} ORDER BY case_id`, { signal });
    }
    const weights = 'SELECT case_id AS id, count(*) AS weight FROM log_row GROUP BY 1';
    const ranges = await idRanges(store, weights, rangeWeight, { signal });
    const file = 'log.xes';
    await writeLinesFile(store, join(folder, file), signal, async (lines) => {
      await lines.write(headOf(type));
      for (const range of ranges) await lines.writeQuery(linesSql(values, cases, range));
      await lines.write('</log>\n');
    });
    return [file];
  },
};

/** Rows that DuckDB prints at once: bounds its memory. */
const rangeWeight = 250_000;

/** XES value types. */
const elementOf: Readonly<Record<ValueType, string>> = {
  string: 'string',
  integer: 'int',
  float: 'float',
  boolean: 'boolean',
  time: 'date',
};

/** The published schema has no namespace, and a number as version. */
function headOf(entityType: string): string {
  const extensions = ['Concept', 'Time'].map((name) => {
    const prefix = name.toLowerCase();
    return `<extension name="${name}" prefix="${prefix}" uri="http://www.xes-standard.org/${prefix}.xesext"/>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<log xes.version="1849.2016" xes.features="">',
    ...extensions,
    '<global scope="trace"><string key="concept:name" value=""/></global>',
    '<global scope="event"><string key="concept:name" value=""/><date key="time:timestamp" value="1970-01-01T00:00:00.000000Z"/><string key="lifecycle" value="start"/></global>',
    '<classifier name="Activity" scope="event" keys="concept:name"/>',
    '<classifier name="ActivityAndLifecycle" scope="event" keys="concept:name lifecycle"/>',
    `<string key="concept:name" value="${xmlText(entityType)}"/>`,
    '',
  ].join('\n');
}

/** A value as it can be written. */
function valueSql(column: string, property: ElementProperty): string {
  if (property.valueType === 'time') return writableTime(column);
  return property.valueType === 'float' ? floatText(column, property, { infinity: 'INF' }) : column;
}

const fixed = ['lifecycle', 'event_id', 'element'];

function linesSql(values: readonly LogValue[], cases: CaseValues, range: IdRange): string {
  const { own, others } = takePlaces(values);
  const keys = freeNames(others, fixed, xmlName);
  const ownAttribute = (name: OwnAttribute, text: string): string => {
    const { valueType = 'string', column } = own[name] ?? {};
    if (column === undefined) return attribute('string', name, text);
    return attribute(valueType, name, valueType === 'string' ? `coalesce(${column}, ${text})` : column);
  };
  const event = [
    attribute('string', 'concept:name', 'activity'),
    attribute('time', 'time:timestamp', 'time'),
    ownAttribute('lifecycle', 'lifecycle'),
    ownAttribute('event_id', "'e' || event_id"),
    ownAttribute('element', 'element'),
    ...others.map(({ column, valueType }, index) => attribute(valueType, keys[index] ?? column, column)),
  ];
  const caseKeys = freeNames(cases.values, [], xmlName);
  const trace = [
    attribute('string', 'concept:name', 'case_key'),
    ...cases.values.map(({ column, valueType }, index) => attribute(valueType, caseKeys[index] ?? column, column)),
  ];
  const joined = cases.sql === undefined ? '' : ' LEFT JOIN log_case USING (case_id)';
  return `SELECT concat(
      CASE WHEN lag(case_id) OVER events IS DISTINCT FROM case_id THEN concat('<trace>', ${trace.join(', ')}, chr(10)) END,
      '<event>', ${event.join(', ')}, '</event>',
      CASE WHEN lead(case_id) OVER events IS DISTINCT FROM case_id THEN chr(10) || '</trace>' END)
    FROM log_row${joined} WHERE ${inRange('case_id', range)} WINDOW events AS (ORDER BY case_id, event_id) ORDER BY case_id, event_id`;
}

/** SQL of an attribute; NULL for a missing value. Texts alone need escapes. */
function attribute(type: ValueType, key: string, column: string): string {
  const begin = quoteLiteral(`<${elementOf[type]} key="${key}" value="`, 'duckdb');
  const value = type === 'time' ? timeText(column) : `CAST(${column} AS VARCHAR)`;
  return `${begin} || ${type === 'string' ? xmlTextSql(value) : value} || '"/>'`;
}

/** Keys are names of XML; the colon is left to the attributes of extensions. */
function xmlName(name: string): string {
  const plain = name.normalize('NFC').replaceAll(new RegExp(`[^${nameStart}${nameRest}]`, 'gu'), '_');
  return new RegExp(`^[${nameStart}]`, 'u').test(plain) ? plain : `_${plain}`;
}

/** https://www.w3.org/TR/xml/#NT-NameStartChar without joiners and combining characters. */
const nameStart = String.raw`A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}`;
const nameRest = String.raw`\-.0-9\xB7\u203F\u2040`;
