import { join } from 'node:path';
import type { StoreReader } from '../../store/duckdb-store.ts';
import { foldEnds } from '../fold-ends.ts';
import { type IdRange, idRanges, inRange } from '../id-ranges.ts';
import { writeLinesFile } from '../lines-file.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { assertEventTimes } from '../event-times.ts';
import { writeUnsupportedValuesAsTexts } from '../unsupported-values.ts';
import { type LogShape, type ObjectTypeShape, readLogShape } from './log-shape.ts';
import { createObjectNames } from './object-names.ts';
import { createObjectValues } from './object-values.ts';
import { rowsOfAll } from './rows-of-all.ts';
import type { ValueType } from '../../graph-schema/value-type.ts';
import { type UtcSuffix, firstTime, timeText, valueText } from './value-text.ts';
import type { WriteOptions } from '../export-format.ts';

/**
 * Syntax of a log as text. All members but the frame map SQL text expressions to SQL text expressions, so that DuckDB
 * prints whole events; each may be NULL for nothing.
 */
export interface OcelTextForm {
  readonly file: string;
  /** Setup statements, such as macros used by the expressions. */
  readonly prepare: readonly string[];
  /** Text before the first object. */
  head(shape: LogShape): string;
  /** Text between the last object and the first event. */
  readonly middle: string;
  readonly tail: string;
  /** Separator between objects, events, attributes or relations. */
  readonly separator: string;
  /** A text with quotes and escapes; the other members get texts written by this one. */
  text(expression: string): string;
  /** SQL for texts without characters to escape. */
  plain(expression: string): string;
  object(parts: ObjectParts): string;
  event(parts: EventParts): string;
  /** `name` unescaped, the others SQL, `value` escaped; `time` for object values. */
  attribute(name: string, value: string, time?: string): string;
  eventRelation(object: string, type: string, qualifier: string): string;
  objectRelation(object: string, type: string, qualifier: string): string;
}

interface ObjectParts {
  readonly id: string;
  readonly type: string;
  readonly attributes: string;
  readonly relations: string;
}

interface EventParts extends ObjectParts {
  readonly time: string;
}

/** A form with the zone of its times. */
type TimedForm = OcelTextForm & { readonly utc: UtcSuffix };

/** Number of rows (values, relations) printed at once: bounds memory. */
const rangeWeight = 250_000;

/** Writes a log as text; returns the name of the file. */
export async function writeTextLog(
  store: StoreReader,
  folder: string,
  syntax: OcelTextForm,
  signal: AbortSignal,
  { utcOffset = false }: WriteOptions = {},
): Promise<readonly string[]> {
  const form: TimedForm = { ...syntax, utc: utcOffset ? '+00:00' : 'Z' };
  await assertEventTimes(store, { signal });
  await writeUnsupportedValuesAsTexts(store, ['time'], { signal });
  const before = await readLogShape(store);
  for (const sql of form.prepare) await store.run(sql, { signal });
  await createObjectNames(store, { signal });
  await store.run(writtenNamesSql(form), { signal });
  await createObjectValues(store, before, { signal });
  const endTime = await foldEnds(store, { signal });
  const shape = endTime === undefined ? before : await readLogShape(store, endTime);
  const objects = await idRanges(store, objectRows(shape), rangeWeight, { signal });
  const events = await idRanges(store, eventRows, rangeWeight, { signal });
  await writeLinesFile(store, join(folder, form.file), signal, async (file) => {
    await file.write(form.head(shape));
    for (const range of objects) {
      const held = shape.objectTypes.flatMap((type) => objectAttributesSql(form, type, range) ?? []);
      await file.writeQuery(objectsSql(form, await heldRows(store, held, signal), range));
    }
    await file.write(form.middle);
    for (const range of events) {
      const held = eventAttributesSql(form, shape, range);
      await file.writeQuery(eventsSql(form, await heldRows(store, held, signal), range));
    }
    await file.write(form.tail);
  });
  return [form.file];
}

/** SQL of `id` and `text`: the attributes of events or objects, concatenated. */
async function heldRows(store: StoreReader, queries: readonly string[], signal: AbortSignal): Promise<string> {
  if (queries.length === 0) return 'SELECT NULL AS id, NULL AS text WHERE false';
  return rowsOfAll(store, 'held_text', queries, { signal });
}

/** A row for each entity of an event; an event without entities has one. */
export const eventRows =
  'SELECT event_id AS id FROM event_entity UNION ALL SELECT id FROM event WHERE entity_id IS NULL';

function objectRows({ objectTypes }: LogShape): string {
  const rows = [
    'SELECT id FROM entity',
    'SELECT source_entity_id FROM relation',
    ...objectTypes.flatMap(({ valuesTable }) => (valuesTable ? [`SELECT entity_id FROM ${valuesTable}`] : [])),
  ];
  return rows.join(' UNION ALL ');
}

/** All rows but the first start with the separator. */
function lineSql(form: OcelTextForm, id: string, { after }: IdRange, line: string): string {
  if (form.separator === '') return line;
  return after > 0n
    ? `'${form.separator}' || ${line}`
    : `CASE WHEN ${id} > min(${id}) OVER () THEN '${form.separator}' ELSE '' END || ${line}`;
}

/** SQL of the concatenated texts of a group, sorted by text, because sorting by columns is far slower. */
function joined(form: OcelTextForm, texts: string): string {
  return `array_to_string(list_sort(list(${texts})), '${form.separator}')`;
}

function objectsSql(form: OcelTextForm, held: string, range: IdRange): string {
  const line = form.object({
    id: 'own.name',
    type: 'own.type',
    attributes: 'held.text',
    relations: 'related.text',
  });
  return `WITH related AS (
      SELECT source_entity_id AS id, ${joined(form, form.objectRelation('written_name.name', 'written_name.type', form.text('relationship')))} AS text
      FROM relation JOIN written_name ON written_name.id = target_entity_id WHERE ${inRange('source_entity_id', range)} GROUP BY 1
    ), held AS (${held})
    SELECT ${lineSql(form, 'entity.id', range, line)}
    FROM entity JOIN written_name AS own ON own.id = entity.id
      LEFT JOIN related ON related.id = entity.id LEFT JOIN held ON held.id = entity.id
    WHERE ${inRange('entity.id', range)} ORDER BY entity.id`;
}

function objectAttributesSql(
  form: TimedForm,
  { attributes, valuesTable }: ObjectTypeShape,
  range: IdRange,
): string | undefined {
  if (valuesTable === undefined) return undefined;
  const texts = attributes.map(({ name, type }, index) => attributeSql(form, name, `v${index + 1}`, type, 'stamp'));
  const stamp = `CASE WHEN first THEN '${firstTime(form.utc)}' ELSE ${timeText('time', form.utc)} END AS stamp`;
  return `SELECT entity_id AS id,
      array_to_string(list_transform(list_sort(list({'time': time, 'text': text})), lambda row: row.text), '${form.separator}') AS text
    FROM (SELECT entity_id, time, nullif(concat_ws('${form.separator}', ${texts.join(', ')}), '') AS text
      FROM (SELECT *, ${stamp} FROM ${valuesTable} WHERE ${inRange('entity_id', range)}))
    WHERE text IS NOT NULL GROUP BY 1`;
}

function eventsSql(form: TimedForm, held: string, range: IdRange): string {
  const line = form.event({
    id: form.text("'e' || event.id"),
    type: form.text('event.activity'),
    time: timeText('event.time', form.utc),
    attributes: 'held.text',
    relations: 'related.text',
  });
  return `WITH related AS (
      SELECT event_id, ${joined(form, form.eventRelation('written_name.name', 'written_name.type', form.text('qualifier')))} AS text
      FROM event_entity JOIN written_name ON written_name.id = entity_id WHERE ${inRange('event_id', range)} GROUP BY 1
    ), held AS (${held})
    SELECT ${lineSql(form, 'event.id', range, line)}
    FROM event LEFT JOIN related ON related.event_id = event.id LEFT JOIN held ON held.id = event.id
    WHERE ${inRange('event.id', range)} ORDER BY event.id`;
}

/** For each element, a query of its attributes by event. */
function eventAttributesSql(form: TimedForm, { elements }: LogShape, range: IdRange): readonly string[] {
  return elements
    .filter(({ properties }) => properties.length > 0)
    .map(({ table, properties }) => {
      const texts = properties.map(({ name, valueType }) => attributeSql(form, name, quoteIdentifier(name), valueType));
      return `SELECT event_id AS id, concat_ws('${form.separator}', ${texts.join(', ')}) AS text
        FROM ${quoteIdentifier(table)} WHERE ${inRange('event_id', range)}`;
    });
}

/** Missing values are omitted. Only texts need escapes. */
function attributeSql(form: TimedForm, name: string, column: string, type: ValueType, time?: string): string {
  const value = valueText(column, type, form.utc);
  const written = type === 'string' ? form.text(value) : form.plain(value);
  return `CASE WHEN ${value} IS NOT NULL THEN ${form.attribute(name, written, time)} END`;
}

/** Names are escaped once, because they occur many times. */
function writtenNamesSql(form: OcelTextForm): string {
  return `CREATE TEMP TABLE written_name AS SELECT id, ${form.text('name')} AS name, ${form.text('type')} AS type FROM object_name`;
}
