import type {
  CrossMappingValues,
  CrossTableValues,
  ElementValues,
  MappingValues,
  ProcessContextValues,
  RelationshipValues,
} from '../../../../protocol/canvas-intents.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** What the dialog of an element edits. Values of the wrong shape are left out; half a list entry is kept. */
export function elementValues(entry: JsonObject): ElementValues {
  const { key, properties, processContext } = entry;
  const keys = typeof key === 'string' && key !== '' ? [key] : textsOf(key);
  const context = isJsonObject(processContext) ? contextValues(processContext) : undefined;
  return {
    ...pick(entry, [
      'activityName',
      'dataObject',
      'entityType',
      'startTimestamp',
      'changeTimestamp',
      'sequence',
    ] as const),
    ...pick(entry, ['activityColumn', 'joins', 'where'] as const),
    ...(keys.length > 0 ? { key: keys } : {}),
    ...(properties === 'all' ? { properties } : isJsonList(properties) ? { properties: textsOf(properties) } : {}),
    ...(context ? { processContext: context } : {}),
  };
}

function contextValues(context: JsonObject): ProcessContextValues {
  const lists = (['businessRules', 'procedures', 'links'] as const).flatMap((key) => {
    const texts = textsOf(context[key]);
    return texts.length > 0 ? [[key, texts] as const] : [];
  });
  return { ...pick(context, ['description', 'owner'] as const), ...Object.fromEntries(lists) };
}

/** What the dialog of a relationship edits. */
export function relationshipValues(entry: JsonObject): RelationshipValues {
  const { mappings, crossTable } = entry;
  return {
    ...pick(entry, ['name', 'correlate'] as const),
    mappings: objectsOf(mappings).map(mappingValues),
    ...(isJsonObject(crossTable) ? { crossTable: crossTableValues(crossTable) } : {}),
  };
}

/** One entry of `mappings`, the default operator left out. */
export function mappingValues(entry: JsonObject): MappingValues {
  const { source, target, operator, expression } = entry;
  if (typeof expression === 'string') return { expression };
  return { source: textOf(source), ...operatorOf(operator), target: textOf(target) };
}

export function crossTableValues(crossTable: JsonObject): CrossTableValues {
  return {
    ...pick(crossTable, ['dataObject'] as const),
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

/** The entries of a list that are mappings of keys; the others are not ours to change. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonList(value) ? value.filter(isJsonObject) : [];
}
