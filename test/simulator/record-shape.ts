import { utcText, type SimulatedRecord } from './demo-data.ts';
import { findRecord, isDotWalk, isMoney, rowsOf, walk, type Instance } from './instance.ts';
import { columnOf, columnsOf, simulatedViews } from './schema.ts';

/** The record as returned by the Table API, in one of six forms, without unreadable fields. */
export function shapeRecord(
  instance: Instance,
  table: string,
  record: SimulatedRecord,
  parameters: URLSearchParams,
  baseUrl: string,
): Record<string, unknown> {
  const asked = parameters.get('sysparm_fields');
  const fields = asked ? asked.split(',').map((field) => field.trim()) : viewColumns(table, parameters);
  const shaped: Record<string, unknown> = {};
  const viewKey = keyOfViewRow(instance, table, record);
  if (viewKey !== undefined && (!asked || fields.includes('sys_id'))) shaped['sys_id'] = viewKey;
  for (const field of fields) {
    const { hiddenFields, mayReadField } = instance.settings;
    if (
      !isDotWalk(table, field, instance.settings) ||
      hiddenFields.has(`${table}.${field}`) ||
      !mayReadField(table, field, record)
    )
      continue;
    shaped[field] = shapeValue(instance, walk(instance, table, record, field), parameters, baseUrl);
  }
  return shaped;
}

/** The key that a row of a database view shows; undefined for none. */
function keyOfViewRow(
  { settings: { viewKeys } }: Instance,
  table: string,
  record: SimulatedRecord,
): string | undefined {
  const view = simulatedViews.get(table);
  if (!view || viewKeys === 'absent') return undefined;
  return viewKeys === 'empty' ? '' : (record[`${view.tables[0]?.prefix}_sys_id`] ?? '');
}

/** The columns of a view; all of them without a view, or for an unknown name. */
function viewColumns(table: string, parameters: URLSearchParams): readonly string[] {
  const names = columnsOf(table).map(({ element }) => element);
  if (parameters.get('sysparm_view') !== 'mobile') return names;
  return names.filter((name) => ['number', 'name', 'short_description'].includes(name));
}

/** The stored form of a request's values: with `sysparm_input_display_value` they are display values. */
export function storedValues(
  instance: Instance,
  table: string,
  values: SimulatedRecord,
  parameters: URLSearchParams,
): SimulatedRecord {
  if (parameters.get('sysparm_input_display_value') !== 'true') return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const column = columnOf(table, name);
      return [name, column ? storedValue(instance, value, column.type, column.reference) : value];
    }),
  );
}

function storedValue(instance: Instance, shown: string, type: string, reference: string | undefined): string {
  if (reference !== undefined) {
    const target = rowsOf(instance, reference).find((record) => (record['name'] ?? record['number']) === shown);
    return target?.['sys_id'] ?? shown;
  }
  const parts = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)$/.exec(shown);
  if (!/^(?:glide_date_time|due_date)$/.test(type) || !parts) return shown;
  const [, day, month, year, time] = parts;
  const local = Date.parse(`${year}-${month}-${day}T${time}Z`);
  // The time displayed to the user as this one: behind UTC by the displayed offset.
  return utcText(local - (shownTime(instance, local) - local));
}

function shownTime(instance: Instance, time: number): number {
  const [, day, month, year, clock] =
    /^(\d\d)\/(\d\d)\/(\d{4}) (.*)$/.exec(displayValue(instance, utcText(time), 'glide_date_time', undefined)) ?? [];
  return Date.parse(`${year}-${month}-${day}T${clock}Z`);
}

function shapeValue(
  instance: Instance,
  {
    value: stored,
    type,
    reference,
  }: { readonly value: string; readonly type: string; readonly reference?: string | undefined },
  parameters: URLSearchParams,
  baseUrl: string,
): unknown {
  const value = instance.settings.nativeValues ? nativeValue(stored, type) : stored;
  const display = parameters.get('sysparm_display_value') ?? 'false';
  const withLink = parameters.get('sysparm_exclude_reference_link') !== 'true';
  const shown = (): string => displayValue(instance, stored, type, reference);
  const link = `${baseUrl}/api/now/table/${reference ?? ''}/${value}`;
  if (display === 'all') {
    if (reference === undefined || value === '' || !withLink) return { display_value: shown(), value };
    return { display_value: shown(), link, value };
  }
  if (reference === undefined || value === '' || !withLink) return display === 'true' ? shown() : value;
  return display === 'true' ? { display_value: shown(), link } : { link, value };
}

/** A stored value as JSON: numbers and booleans are not texts. */
function nativeValue(value: string, type: string): unknown {
  if (type === 'boolean' && value !== '') return value === 'true';
  return /^(?:integer|longint|decimal|float)$/.test(type) && value !== '' ? Number(value) : value;
}

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Kept, because making one takes longer than formatting a page of records. */
function timeFormat(timeZone: string): Intl.DateTimeFormat {
  const format =
    timeFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  timeFormats.set(timeZone, format);
  return format;
}

/** The display value of a stored value. */
export function displayValue(instance: Instance, value: string, type: string, reference: string | undefined): string {
  if (value === '') return '';
  if (reference !== undefined) {
    const target = findRecord(instance, reference, value);
    return target?.['name'] ?? target?.['number'] ?? value;
  }
  if (type === 'glide_date_time' || type === 'due_date') {
    const format = timeFormat(instance.settings.userTimeZone);
    return format.format(new Date(`${value.replace(' ', 'T')}Z`)).replace(',', '');
  }
  // In the user's locale.
  if (isMoney(type)) return `$${Number(value.replace(/^\w+;/, '')).toLocaleString('en-US')}`;
  if (type === 'glide_duration') return `${Math.round(Date.parse(`${value.replace(' ', 'T')}Z`) / 60_000)} Minutes`;
  return value;
}
