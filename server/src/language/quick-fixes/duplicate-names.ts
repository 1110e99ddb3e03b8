import { relationshipName } from '../../model/entity-graph.ts';
import { nodeAt, pathOf } from '../../model/node-path.ts';
import type { Problem } from '../../model/problem.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { freeActivityName, freeName } from './likely-values.ts';
import { type Fix, type QuickFix, fixOfMeaning } from './quick-fix.ts';

/** Renames the second of two elements with the same name; relationships stay with the first. */
export const renameActivityTwice: QuickFix = {
  codes: ['duplicate-activity-name'],
  fixes(problem, { parsed }) {
    const { graph } = parsed;
    const name = graph.elements.find(({ activityName }) => activityName?.range.start === problem.range.start);
    return name?.activityName
      ? renaming(freeActivityName(name.activityName.value, graph), problem.range, parsed.yaml)
      : [];
  },
};

/** Renames the second of two relationships with the same name. */
export const renameRelationshipTwice: QuickFix = {
  codes: ['duplicate-relationship-name'],
  fixes({ range }, { parsed }) {
    const { graph } = parsed;
    const relationship = graph.relationships.find(
      (each) => each.name?.range.start === range.start || (!each.name && each.range.start === range.start),
    );
    if (!relationship) return [];
    const name = freeName(relationshipName(relationship), new Set(graph.relationships.map(relationshipName)));
    if (relationship.name) return renaming(name, range, parsed.yaml);
    const map = parsed.originOf(relationship);
    const path = map && pathOf(parsed.yaml.document.contents, map);
    const look = { title: `Name it "${name}"`, preferred: true };
    return path ? fixOfMeaning(look, parsed.yaml, [{ kind: 'set', path: [...path, 'name'], value: name }]) : [];
  },
};

function renaming(name: string, range: Problem['range'], yaml: YamlText): readonly Fix[] {
  const place = nodeAt(yaml.document.contents, range, yaml.text);
  const look = { title: `Rename it to "${name}"`, preferred: true };
  return place ? fixOfMeaning(look, yaml, [{ kind: 'set', path: place.path, value: name }]) : [];
}
