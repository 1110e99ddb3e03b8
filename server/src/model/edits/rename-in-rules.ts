import { countFields, durationFields } from '../measure.ts';
import { type FieldTable, expectationFields, subjectFields } from '../process-rule.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** The graph whose process rules, measures, guards and accepted findings call things by new names. @param newName undefined for names that stay */
export function renamedInRules(
  graph: JsonObject,
  type: 'activity' | 'relationship',
  newName: (name: string) => string | undefined,
): JsonObject {
  const { rules, measures, guards, accepted } = graph;
  const renamed = (value: JsonValue, fields: FieldTable): JsonValue => {
    if (!isJsonObject(value)) return value;
    const changes = (fields[type] ?? []).flatMap((field) => {
      const name = value[field];
      const next = typeof name === 'string' ? newName(name) : undefined;
      return next === undefined ? [] : [[field, next] as const];
    });
    return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) };
  };
  const partsOf = (entry: JsonValue, parts: Readonly<Record<string, FieldTable>>): JsonValue => {
    if (!isJsonObject(entry)) return entry;
    const changed = Object.entries(parts).flatMap(([part, fields]) => {
      const value = entry[part];
      if (value === undefined) return [];
      return [[part, isJsonList(value) ? value.map((each) => renamed(each, fields)) : renamed(value, fields)] as const];
    });
    return { ...entry, ...Object.fromEntries(changed) };
  };
  return {
    ...graph,
    ...(isJsonList(rules) ? { rules: rules.map((rule) => partsOf(rule, ruleParts)) } : {}),
    ...(isJsonList(measures) ? { measures: measures.map((measure) => partsOf(measure, measureParts)) } : {}),
    ...(isJsonList(guards) ? { guards: guards.map((guard) => renamed(guard, guardFields)) } : {}),
    ...(isJsonList(accepted) ? { accepted: accepted.map((entry) => renamed(entry, acceptedFields)) } : {}),
  };
}

const guardFields: FieldTable = { activity: ['element'], relationship: ['relationship'] };
const acceptedFields: FieldTable = { activity: ['element'] };
const ruleParts = { each: subjectFields, expect: expectationFields };
const measureParts = { each: subjectFields, duration: durationFields, count: countFields };
