import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** The fields of a process rule that name an activity. */
export const activityFieldsOfRules = ['activity', 'never', 'after', 'before', 'from', 'to'] as const;

/** The graph whose process rules call things by new names. @param newName undefined for what keeps its name */
export function renamedInRules(
  graph: JsonObject,
  fields: readonly string[],
  newName: (name: string) => string | undefined,
): JsonObject {
  const rules = graph['rules'];
  if (!isJsonList(rules)) return graph;
  const renamed = (value: JsonValue): JsonValue => {
    if (!isJsonObject(value)) return value;
    const changes = fields.flatMap((field) => {
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
        ...(each === undefined ? {} : { each: renamed(each) }),
        ...(isJsonList(expect) ? { expect: expect.map(renamed) } : {}),
      };
    }),
  };
}
