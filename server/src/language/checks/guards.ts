import { masterDataName, relationshipName } from '../../model/entity-graph.ts';
import type { Guard } from '../../model/guard.ts';
import type { Problem } from '../../model/problem.ts';
import type { Located, SourceRange } from '../../model/source-range.ts';
import type { GraphCheck } from './check.ts';
import { firstLine } from './element-unconfigured.ts';
import { notIn, withSuggestions } from './process-names.ts';

/** Guards that do not say what they guard, or name things that are not in the file. */
export const guards: GraphCheck = {
  codes: ['guard-incomplete', 'guard-unknown-name'],
  sections: ['guards'],
  check({ graph, parsed }) {
    const elements = [
      ...graph.elements.flatMap(({ activityName }) => activityName?.value ?? []),
      ...graph.entities.flatMap((entry) => masterDataName(entry) ?? []),
    ];
    const relationships = graph.relationships.map(relationshipName);
    const unknown = graph.guards.flatMap(({ element, relationship }) => [
      ...unknownIn(elements, element, 'element or entry of entities'),
      ...unknownIn(relationships, relationship, 'relationship'),
    ]);
    return [
      ...graph.guards.flatMap(incomplete),
      ...repeated(graph.guards),
      ...withSuggestions(unknown, 'guard-unknown-name'),
    ].map((problem) => ({
      ...problem,
      range: firstLine(problem.range, parsed.yaml.text),
    }));
  },
};

function unknownIn(known: readonly string[], name: Located<string> | undefined, kind: string) {
  return notIn(new Set(known), name ? [name] : [], (wrong) => `No ${kind} of this file is called "${wrong}".`);
}

/** Guards of the same number and severity: only the stricter one would count. */
function repeated(all: readonly Guard[]): readonly Problem[] {
  const first = new Map<string, SourceRange>();
  return all.flatMap(({ element, relationship, side, severity, range }): readonly Problem[] => {
    const name = element ?? relationship;
    if (!name || (element && relationship)) return [];
    const key = JSON.stringify([element?.value, relationship && [relationship.value, side], severity]);
    const before = first.get(key);
    if (!before) {
      first.set(key, range);
      return [];
    }
    const where = relationship ? `, side ${side},` : '';
    const message = `"${name.value}"${where} has a guard of severity ${severity} already. Remove one, or give it the other severity.`;
    return [{ ...mistake(name.range, message), related: [{ message: 'The first one is here.', range: before }] }];
  });
}

function incomplete({
  element,
  relationship,
  losesAtMost,
  unmatchedAtMost,
  writtenSide,
  range,
}: Guard): readonly Problem[] {
  const share = losesAtMost ?? unmatchedAtMost;
  if (share && share.value === undefined) return [mistake(share.range, 'Write a share up to 100%, such as 10%.')];
  if (element && relationship) return [mistake(range, 'A guard is of an element or of a relationship. Remove one.')];
  if (element && (!losesAtMost || unmatchedAtMost))
    return [mistake(range, 'A guard of an element says how much it may lose: write losesAtMost, such as 10%.')];
  if (element && writtenSide)
    return [mistake(writtenSide.range, 'Only a guard of a relationship has a side. Remove it.')];
  if (relationship && (!unmatchedAtMost || losesAtMost))
    return [
      mistake(range, 'A guard of a relationship says how much may be unmatched: write unmatchedAtMost, such as 2%.'),
    ];
  if (!element && !relationship)
    return [mistake(range, 'It does not say what it guards. Write element or relationship.')];
  return [];
}

function mistake(range: SourceRange, message: string): Problem {
  return { code: 'guard-incomplete', severity: 'error', range, message };
}
