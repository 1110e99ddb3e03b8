import { relationshipName } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { Located } from '../../model/source-range.ts';
import type { GraphCheck } from './check.ts';
import { firstLine } from './element-unconfigured.ts';

/** Two elements have one activity name: relationships and queries could not tell them apart. */
export const duplicateActivityName: GraphCheck = {
  codes: ['duplicate-activity-name'],
  check: ({ graph, index }) => {
    if (!index.hasDuplicateActivities) return [];
    return duplicates(
      [
        ...graph.elements.flatMap(({ activityName }) => activityName ?? []),
        ...graph.entities.flatMap(({ name, entityType, dataObject }) => name ?? entityType ?? dataObject ?? []),
      ],
      'duplicate-activity-name',
      (name) => `Another element is already called "${name}". Give one of them another activity name.`,
    );
  },
};

/** Two relationships have one name, given or derived from their ends. */
export const duplicateRelationshipName: GraphCheck = {
  codes: ['duplicate-relationship-name'],
  check: ({ graph, parsed, index }) => {
    if (!index.hasDuplicateRelationships) return [];
    return duplicates(
      graph.relationships
        .filter(({ name, source, target }) => name ?? (source && target))
        .map((relationship) => ({
          value: relationshipName(relationship),
          range: relationship.name?.range ?? firstLine(relationship.range, parsed.yaml.text),
        })),
      'duplicate-relationship-name',
      (name) => `Another relationship is already called "${name}". Give one of them another name.`,
    );
  },
};

function duplicates(
  names: readonly Located<string>[],
  code: 'duplicate-activity-name' | 'duplicate-relationship-name',
  message: (name: string) => string,
): readonly Problem[] {
  const first = new Map<string, Located<string>>();
  return names.flatMap((name) => {
    const before = first.get(name.value);
    if (!before) {
      first.set(name.value, name);
      return [];
    }
    const related = [{ message: 'The first one is here.', range: before.range }];
    return { code, severity: 'error', message: message(name.value), range: name.range, related };
  });
}
