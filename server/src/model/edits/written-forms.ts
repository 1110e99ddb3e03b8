import type {
  ElementPatch,
  MasterDataPatch,
  PathStepValues,
  PropertyValue,
  RowCorrelationValues,
} from '../../../../protocol/canvas-intents.ts';
import type { Field, FieldTable } from '../../../../protocol/fields/field.ts';
import {
  isAtEndOfDay,
  pathStepValues,
  propertyValue,
  rowCorrelationValues,
  timeColumn,
  timeSql,
} from './dialog-values.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject, sameValue } from './json-value.ts';

/** The keys of an entry that the changed values of its dialog set. */
export function writtenFields(
  fields: FieldTable,
  values: ElementPatch | MasterDataPatch,
  entry: JsonObject,
): JsonObjectPatch {
  const written = Object.entries(fields).map(([key, field]) => writtenField(key, field, values, entry));
  return Object.assign({}, ...written) as JsonObjectPatch;
}

function writtenField(
  key: string,
  { type, expression = '', atEndOfDay = '' }: Field,
  values: Readonly<Record<string, unknown>>,
  entry: JsonObject,
): JsonObjectPatch {
  const [value, before] = [values[key], entry[key]];
  switch (type) {
    case 'time':
      return writtenTime(
        key,
        { column: value, expression: values[expression], atEndOfDay: values[atEndOfDay] } as TimePatch,
        entry,
      );
    case 'key':
      return { [key]: writtenKey(value as ElementPatch['key'], before) };
    case 'properties':
      return { [key]: writtenProperties(value as ElementPatch['properties'], before) };
    case 'rowCorrelations':
      return { [key]: writtenCorrelations(value as ElementPatch['correlatesWith'], before) };
    default:
      return { [key]: value as JsonValue | null | undefined };
  }
}

/** A single column is written without brackets, unless there are some. */
function writtenKey(
  key: readonly string[] | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (key === null || key === undefined) return key;
  if (key.length === 0) return null;
  return key.length === 1 && !isJsonList(before) ? (key[0] ?? null) : key;
}

/** Undefined keeps a key, null removes it. */
type JsonObjectPatch = Readonly<Record<string, JsonValue | null | undefined>>;

/**
 * `{ expression: … }` for a computed time, `{ column: …, atEndOfDay: true }` for the ends of days. Removing an expression
 * keeps an existing column, and vice versa.
 */
interface TimePatch {
  readonly column: string | null | undefined;
  readonly expression?: string | null | undefined;
  readonly atEndOfDay: boolean | null | undefined;
}

function writtenTime(key: string, patch: TimePatch, entry: JsonObject): JsonObjectPatch {
  if (Object.values(patch).every((value) => value === undefined)) return {};
  const before = entry[key];
  const isGiven = (text: string | null | undefined): boolean => typeof text === 'string' && text.trim() !== '';
  const kept = (text: string | null | undefined, earlier: string | undefined): string | undefined =>
    text === undefined ? earlier : isGiven(text) ? (text ?? undefined) : undefined;
  const expression =
    isGiven(patch.column) && !isGiven(patch.expression) ? undefined : kept(patch.expression, timeSql(before));
  const column = expression === undefined ? kept(patch.column, timeColumn(before)) : undefined;
  if (expression === undefined && column === undefined) {
    const isKnown = timeColumn(before) !== undefined || timeSql(before) !== undefined;
    return isKnown ? { [key]: null } : {};
  }
  const isEnd = patch.atEndOfDay === undefined ? isAtEndOfDay(before) === true : patch.atEndOfDay === true;
  if (column !== undefined && !isEnd) return { [key]: column };
  const own = isJsonObject(before) ? Object.entries(before).filter(([name]) => name.startsWith('x-')) : [];
  return {
    [key]: {
      ...(expression === undefined ? { column: column ?? '' } : { expression }),
      ...(isEnd && { atEndOfDay: true }),
      ...Object.fromEntries(own),
    },
  };
}

/** Writes properties; equal entries stay unchanged. */
function writtenProperties(
  values: readonly PropertyValue[] | 'all' | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!Array.isArray(values)) return values as 'all' | null | undefined;
  return keepingSame(values as readonly PropertyValue[], before, propertyValue, (value) => value as JsonValue);
}

/** Writes the steps of a path: names, unless a direction is given. */
export function writtenPath(
  values: readonly PathStepValues[] | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!values) return values;
  if (values.length === 0) return null;
  return keepingSame(values, before, pathStepValues, ({ relationship, reverse }) =>
    reverse === undefined ? relationship : { relationship, reverse },
  );
}

/** Writes row correlations; equal entries stay unchanged, and a changed one keeps its own fields. */
function writtenCorrelations(
  values: readonly RowCorrelationValues[] | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!values) return values;
  if (values.length === 0) return null;
  const entries = isJsonList(before) ? before : [];
  return keepingSame(values, before, rowCorrelationValues, (value, index) =>
    writtenCorrelation(value, values.length === entries.length ? entries[index] : undefined),
  );
}

function writtenCorrelation({ key, ...texts }: RowCorrelationValues, before: JsonValue | undefined): JsonValue {
  const kept = isJsonObject(before) ? Object.entries(before).filter(([name]) => name.startsWith('x-')) : [];
  const written = Object.entries(texts).filter(([, text]) => text !== undefined && text !== '');
  const columns = key.length === 1 && !(isJsonObject(before) && isJsonList(before['key'])) ? (key[0] ?? '') : key;
  const { entityType, ...others } = Object.fromEntries(written) as Record<string, JsonValue>;
  return {
    ...(entityType === undefined ? {} : { entityType }),
    ...(key.length === 0 ? {} : { key: columns }),
    ...others,
    ...Object.fromEntries(kept),
  };
}

function keepingSame<T>(
  values: readonly T[],
  before: JsonValue | undefined,
  read: (item: JsonValue) => T | undefined,
  write: (value: T, index: number) => JsonValue,
): readonly JsonValue[] {
  const unused = new Set(isJsonList(before) ? before : []);
  return values.map((value, index) => {
    const same = [...unused].find((item) => sameValue(read(item), value));
    if (same === undefined) return write(value, index);
    unused.delete(same);
    return same;
  });
}
