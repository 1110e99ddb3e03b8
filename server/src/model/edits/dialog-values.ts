import type {
  CrossMappingValues,
  MappingValues,
  PathStepValues,
  PropertyValue,
  RowCorrelationValues,
} from '../../../../protocol/canvas-intents.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** One entry of `correlatesWith`. */
export function rowCorrelationValues(entry: JsonValue): RowCorrelationValues | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { each, separator } = entry;
  return {
    ...pick(entry, ['entityType', 'qualifier'] as const),
    key: keyColumns(entry['key']),
    ...(each === 'list' ? { each } : {}),
    // A separator may be blanks.
    ...(typeof separator === 'string' && separator !== '' ? { separator } : {}),
  };
}

function keyColumns(key: JsonValue | undefined): readonly string[] {
  return typeof key === 'string' && key !== '' ? [key] : textsOf(key);
}

/** The column of a time: its text, or that of `{ column: … }`. */
export function timeColumn(time: JsonValue | undefined): string | undefined {
  if (isJsonObject(time)) return pick(time, ['column'] as const).column;
  return typeof time === 'string' && time.trim() !== '' ? time : undefined;
}

/** The SQL of a computed time. */
export function timeSql(time: JsonValue | undefined): string | undefined {
  return isJsonObject(time) ? pick(time, ['expression'] as const).expression : undefined;
}

/** Whether dates in a time are the ends of their days. */
export function isAtEndOfDay(time: JsonValue | undefined): true | undefined {
  return isJsonObject(time) && time['atEndOfDay'] === true ? true : undefined;
}

/** One entry of `properties`; a column with its own name is written as column. */
export function propertyValue(property: JsonValue): PropertyValue | undefined {
  if (typeof property === 'string') return property;
  if (!isJsonObject(property)) return undefined;
  const { column, name } = pick(property, ['column', 'name'] as const);
  if (column === undefined) return undefined;
  return name === undefined ? column : { column, name };
}

/** One entry of `path`. */
export function pathStepValues(step: JsonValue): PathStepValues | undefined {
  if (typeof step === 'string') return { relationship: step };
  if (!isJsonObject(step) || typeof step['relationship'] !== 'string') return undefined;
  const { relationship, reverse } = step;
  return { relationship, ...(typeof reverse === 'boolean' ? { reverse } : {}) };
}

/** One entry of `mappings`, without the default operator. */
export function mappingValues(entry: JsonObject): MappingValues {
  const { source, target, operator, expression } = entry;
  if (typeof expression === 'string') return { expression };
  return { source: textOf(source), ...operatorOf(operator), target: textOf(target) };
}

export function crossMappingValues(entry: JsonObject, side: 'source' | 'target'): CrossMappingValues {
  return { column: textOf(entry[side]), ...operatorOf(entry['operator']), cross: textOf(entry['cross']) };
}

function operatorOf(value: JsonValue | undefined): { readonly operator?: string } {
  return typeof value === 'string' && value !== '=' ? { operator: value } : {};
}

function pick<K extends string>(entry: JsonObject, keys: readonly K[]): { readonly [P in K]?: string } {
  const found = keys.flatMap((key) => {
    const value = entry[key];
    return typeof value === 'string' && value.trim() !== '' ? [[key, value] as const] : [];
  });
  return Object.fromEntries(found) as { [P in K]?: string };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonList(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The mapping entries of a list; others are not changed. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonList(value) ? value.filter(isJsonObject) : [];
}
