import type { ElementPatch, PathStepValues, PropertyValue } from '../../../../protocol/canvas-intents.ts';
import { pathStepValues, propertyValue } from './dialog-values.ts';
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

function keepingSame<T>(
  values: readonly T[],
  before: JsonValue | undefined,
  read: (item: JsonValue) => T | undefined,
  write: (value: T) => JsonValue,
): readonly JsonValue[] {
  const unused = new Set(isJsonList(before) ? before : []);
  return values.map((value) => {
    const same = [...unused].find((item) => sameValue(read(item), value));
    if (same === undefined) return write(value);
    unused.delete(same);
    return same;
  });
}
