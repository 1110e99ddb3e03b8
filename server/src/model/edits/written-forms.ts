import type {
  ElementPatch,
  PathStepValues,
  PropertyValue,
  RowCorrelationValues,
} from '../../../../protocol/canvas-intents.ts';
import { pathStepValues, propertyValue, rowCorrelationValues } from './dialog-values.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject, sameValue } from './json-value.ts';

/**
 * Writes the times of a patch: `{ expression: … }` for computed ones. Removing an expression keeps an existing column,
 * and vice versa.
 */
export function writtenTimes(values: ElementPatch, entry: JsonObject): JsonObjectPatch {
  return {
    ...writtenTime('startTimestamp', values.startTimestamp, values.startExpression, entry),
    ...writtenTime('changeTimestamp', values.changeTimestamp, values.changeExpression, entry),
  };
}

/** Undefined keeps a key, null removes it. */
type JsonObjectPatch = Readonly<Record<string, JsonValue | null | undefined>>;

function writtenTime(
  key: string,
  column: string | null | undefined,
  expression: string | null | undefined,
  entry: JsonObject,
): JsonObjectPatch {
  if (typeof expression === 'string' && expression.trim() !== '') return { [key]: { expression } };
  if (typeof column === 'string') return { [key]: column };
  const isComputed = isJsonObject(entry[key]);
  const isTakenOut = isComputed ? expression !== undefined : column === null;
  return isTakenOut ? { [key]: null } : {};
}

/** Writes properties; equal entries stay unchanged. */
export function writtenProperties(
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
export function writtenCorrelations(
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
