import type {
  CrossMappingValues,
  CrossTableValues,
  ElementValues,
  EntitySourceValues,
  MappingValues,
  MasterDataValues,
  PathStepValues,
  ProcessContextValues,
  PropertyValue,
  RelationshipValues,
  RowCorrelationValues,
} from '../../../../protocol/canvas-intents.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** The values of an element's dialog. Values of the wrong type are omitted; incomplete list entries are kept. */
export function elementValues(entry: JsonObject): ElementValues {
  const { correlatesWith, ownEntity } = entry;
  return {
    ...sourceValues(entry),
    ...pick(entry, ['activityName', 'sequence', 'activityColumn'] as const),
    ...given({
      startTimestamp: timeColumn(entry['startTimestamp']),
      startExpression: timeSql(entry['startTimestamp']),
      startAtEndOfDay: isAtEndOfDay(entry['startTimestamp']),
      changeTimestamp: timeColumn(entry['changeTimestamp']),
      changeExpression: timeSql(entry['changeTimestamp']),
      changeAtEndOfDay: isAtEndOfDay(entry['changeTimestamp']),
    }),
    ...(isJsonList(correlatesWith)
      ? { correlatesWith: correlatesWith.flatMap((each) => rowCorrelationValues(each) ?? []) }
      : {}),
    ...(typeof ownEntity === 'boolean' ? { ownEntity } : {}),
  };
}

/** The values of the dialog of an entry of `entities`. */
export function masterDataValues(entry: JsonObject): MasterDataValues {
  const { validFrom } = entry;
  return {
    ...pick(entry, ['name'] as const),
    ...given({ validFrom: timeColumn(validFrom), validFromAtEndOfDay: isAtEndOfDay(validFrom) }),
    ...sourceValues(entry),
  };
}

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

function sourceValues(entry: JsonObject): EntitySourceValues {
  const { properties, processContext } = entry;
  const keys = keyColumns(entry['key']);
  const context = isJsonObject(processContext) ? contextValues(processContext) : undefined;
  return {
    ...pick(entry, ['dataObject', 'entityType', 'joins', 'where'] as const),
    ...(keys.length > 0 ? { key: keys } : {}),
    ...(properties === 'all'
      ? { properties }
      : isJsonList(properties)
        ? { properties: propertyValues(properties) }
        : {}),
    ...(context ? { processContext: context } : {}),
  };
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

/** Without undefined values. */
function given<T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}

function propertyValues(properties: readonly JsonValue[]): readonly PropertyValue[] {
  return properties.flatMap((property) => propertyValue(property) ?? []);
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

function contextValues(context: JsonObject): ProcessContextValues {
  const lists = (['businessRules', 'procedures', 'links'] as const).flatMap((key) => {
    const texts = textsOf(context[key]);
    return texts.length > 0 ? [[key, texts] as const] : [];
  });
  return { ...pick(context, ['description', 'owner'] as const), ...Object.fromEntries(lists) };
}

/** The values of a relationship's dialog. */
export function relationshipValues(entry: JsonObject): RelationshipValues {
  const { mappings, crossTable } = entry;
  return {
    ...pick(entry, ['name', 'correlate'] as const),
    mappings: objectsOf(mappings).map(mappingValues),
    ...(isJsonObject(crossTable) ? { crossTable: crossTableValues(crossTable) } : {}),
    ...(isJsonList(entry['path']) ? { path: entry['path'].flatMap((step) => pathStepValues(step) ?? []) } : {}),
  };
}

/** One entry of `mappings`, without the default operator. */
export function mappingValues(entry: JsonObject): MappingValues {
  const { source, target, operator, expression } = entry;
  if (typeof expression === 'string') return { expression };
  return { source: textOf(source), ...operatorOf(operator), target: textOf(target) };
}

function crossTableValues(crossTable: JsonObject): CrossTableValues {
  return {
    ...pick(crossTable, ['dataSource', 'dataObject'] as const),
    sourceMappings: objectsOf(crossTable['sourceMappings']).map((entry) => crossMappingValues(entry, 'source')),
    targetMappings: objectsOf(crossTable['targetMappings']).map((entry) => crossMappingValues(entry, 'target')),
  };
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
