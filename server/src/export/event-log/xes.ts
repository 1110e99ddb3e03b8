import { join } from 'node:path';
import type { ValueType } from '../../graph-schema/value-type.ts';
import { standardTypes } from '../../event-logs/xes/xes-head.ts';
import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';
import type { ElementProperty } from '../element-tables.ts';
import { assertEventTimes } from '../event-times.ts';
import type { ExportFormat } from '../export-format.ts';
import { hasEnds } from '../fold-ends.ts';
import { floatText } from '../float-text.ts';
import { type IdRange, idRanges, inRange } from '../id-ranges.ts';
import { writeLinesFile } from '../lines-file.ts';
import { writeUnsupportedValuesAsTexts } from '../unsupported-values.ts';
import { timeText } from '../ocel/value-text.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { writableTime } from '../writable-time.ts';
import { createXmlTextSql, xmlTextSql } from '../xml-text.ts';
import { type WrittenAttribute, headText, prefixesOf, readKeptHead } from './xes-head.ts';
import { xmlName } from './xml-name.ts';
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

/** The events of the entities of one type as XES (IEEE 1849-2023): a trace for each entity that has events. */
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
    const isEnding = await hasEnds(store, { signal });
    const rows = isEnding ? withTransitions(sql) : sql;
    await store.run(`CREATE TEMP TABLE log_row AS ${rows} ORDER BY case_id, event_id`, { signal });
    const cases = await readCaseValues(store, type, valueSql, { signal });
    if (cases.sql !== undefined) {
      await store.run(`CREATE TEMP TABLE log_case AS ${cases.sql} ORDER BY case_id`, { signal });
    }
    const kept = await readKeptHead(store, { signal });
    const columns = namedColumns(values, cases, { prefixes: prefixesOf(kept), isEnding });
    const head = headText(type, kept, await writtenAttributes(store, columns, cases, { signal }));
    const ranges = await idRanges(store, 'SELECT case_id AS id FROM log_row', rangeWeight, { signal });
    const file = 'log.xes';
    await writeLinesFile(store, join(folder, file), signal, async (lines) => {
      await lines.write(head);
      for (const range of ranges) await lines.writeQuery(linesSql(columns, cases, range));
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

/** A value as it can be written. */
function valueSql(column: string, property: ElementProperty): string {
  if (property.valueType === 'time') return writableTime(column);
  return property.valueType === 'float' ? floatText(column, property, { infinity: 'INF' }) : column;
}

const fixed = ['concept:name', 'time:timestamp', 'lifecycle', 'event_id', 'element'];

const transitionKey = 'lifecycle:transition';

/**
 * Adds `transition` in the words of the standard: a start with an end begins an activity, one without is all of it. Readers
 * that count activities once leave out other transitions.
 */
function withTransitions(rows: string): string {
  const transition = `CASE WHEN found.lifecycle = 'change' THEN 'unknown' WHEN service.end_event_id IS NOT NULL THEN 'start' ELSE 'complete' END`;
  return `SELECT found.*, ${transition} AS transition FROM (${rows}) AS found LEFT JOIN service_time AS service ON service.start_event_id = found.event_id`;
}

interface NamedValue extends LogValue {
  readonly key: string;
  /** SQL of the value. */
  readonly sql: string;
}

/** The columns that a file has, with their keys. */
interface NamedColumns {
  readonly own: Partial<Record<OwnAttribute, LogValue>>;
  /** SQL of the transition of an event; undefined for graphs without ends. A property of this key comes first. */
  readonly transition?: string | undefined;
  readonly event: readonly NamedValue[];
  readonly trace: readonly NamedValue[];
}

function namedColumns(
  values: readonly LogValue[],
  cases: CaseValues,
  { prefixes, isEnding }: { readonly prefixes: readonly string[]; readonly isEnding: boolean },
): NamedColumns {
  const { own, others } = takePlaces(values);
  const named = (list: readonly LogValue[], taken: readonly string[]): readonly NamedValue[] => {
    const keys = freeNames(list, taken, (name) => xmlName(name, prefixes));
    return list.map((value, index) =>
      inStandardType({ ...value, key: keys[index] ?? value.column, sql: value.column }),
    );
  };
  const event = named(others, fixed);
  const trace = named(cases.values, ['concept:name']);
  if (!isEnding) return { own, event, trace };
  const given = event.find(({ key }) => key === transitionKey);
  const transition = given ? `coalesce(${given.sql}, transition)` : 'transition';
  return { own, transition, event: event.filter((value) => value !== given), trace };
}

/** A value in the type that the extension of its key gives to it, where its text allows that. */
function inStandardType(value: NamedValue): NamedValue {
  const { key, valueType, column } = value;
  const wanted = standardTypes[key];
  const text = valueType === 'time' ? timeText(column) : `CAST(${column} AS VARCHAR)`;
  if (wanted === 'string' && valueType !== 'string') return { ...value, valueType: 'string', sql: text };
  if (wanted === 'float' && valueType === 'integer') return { ...value, valueType: 'float', sql: `${text} || '.0'` };
  return value;
}

/** The attributes that the events and traces of a file have. */
async function writtenAttributes(
  store: StoreReader,
  { transition, event, trace }: NamedColumns,
  cases: CaseValues,
  options: StatementOptions,
): Promise<Readonly<Record<'trace' | 'event', readonly WrittenAttribute[]>>> {
  const all = async (values: readonly NamedValue[], from: string): Promise<readonly WrittenAttribute[]> => {
    const counts = values.map(({ column }) => `count(${column}) = count(*) AS ${column}`);
    const [row] = counts.length > 0 ? await store.query(`SELECT ${counts.join(', ')} FROM ${from}`, options) : [];
    return values.map(({ name, key, column, valueType }) => ({
      name,
      key,
      type: elementOf[valueType],
      isOfAll: row?.[column] === true,
    }));
  };
  const always = (name: string, type: string): WrittenAttribute => ({ name, key: name, type, isOfAll: true });
  const traces = cases.sql === undefined ? '' : ' LEFT JOIN log_case USING (case_id)';
  return {
    trace: [always('concept:name', 'string'), ...(await all(trace, `(SELECT DISTINCT case_id FROM log_row)${traces}`))],
    event: [
      ...[always('concept:name', 'string'), always('time:timestamp', 'date'), always('lifecycle', 'string')],
      ...(transition === undefined ? [] : [always(transitionKey, 'string')]),
      ...(await all(event, 'log_row')),
    ],
  };
}

function linesSql(
  { own, transition, event: events, trace: traces }: NamedColumns,
  cases: CaseValues,
  range: IdRange,
): string {
  const ownAttribute = (name: OwnAttribute, text: string): string => {
    const { valueType = 'string', column } = own[name] ?? {};
    if (column === undefined) return attribute('string', name, text);
    return attribute(valueType, name, valueType === 'string' ? `coalesce(${column}, ${text})` : column);
  };
  const event = [
    attribute('string', 'concept:name', 'activity'),
    attribute('time', 'time:timestamp', 'time'),
    ownAttribute('lifecycle', 'lifecycle'),
    ...(transition === undefined ? [] : [attribute('string', transitionKey, transition)]),
    ownAttribute('event_id', "'e' || event_id"),
    ownAttribute('element', 'element'),
    ...events.map(({ sql, valueType, key }) => attribute(valueType, key, sql)),
  ];
  const trace = [
    attribute('string', 'concept:name', 'case_key'),
    ...traces.map(({ sql, valueType, key }) => attribute(valueType, key, sql)),
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
  const begin = embeddedLiteral(`<${elementOf[type]} key="${key}" value="`);
  const value = type === 'time' ? timeText(column) : `CAST(${column} AS VARCHAR)`;
  return `${begin} || ${type === 'string' ? xmlTextSql(value) : value} || '"/>'`;
}
