import { type FieldTable, expectationFields, subjectFields } from '../process-rule.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** The graph whose process rules call things by new names. @param newName undefined for names that stay */
export function renamedInRules(
  graph: JsonObject,
  type: 'activity' | 'relationship',
  newName: (name: string) => string | undefined,
): JsonObject {
  const rules = graph['rules'];
  if (!isJsonList(rules)) return graph;
  const renamed = (value: JsonValue, fields: FieldTable): JsonValue => {
    if (!isJsonObject(value)) return value;
    const changes = (fields[type] ?? []).flatMap((field) => {
      const name = value[field];
      const next = typeof name === 'string' ? newName(name) : undefined;
      return next === undefined ? [] : [[field, next] as const];
    });
    return changes.length === 0 ? value : { ...value, ...Object.fromEntries(changes) };
  };
  return {
    ...graph,
    rules: rules.map((rule) => {
      if (!isJsonObject(rule)) return rule;
      const { each, expect } = rule;
      return {
        ...rule,
        ...(each === undefined ? {} : { each: renamed(each, subjectFields) }),
        ...(isJsonList(expect) ? { expect: expect.map((entry) => renamed(entry, expectationFields)) } : {}),
      };
    }),
  };
}
