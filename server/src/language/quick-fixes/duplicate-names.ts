import type { YAMLMap } from 'yaml';
import { masterDataName, relationshipName } from '../../model/entity-graph.ts';
import { nodeAt, pathOf } from '../../model/node-path.ts';
import type { Problem } from '../../model/problem.ts';
import type { Located } from '../../model/source-range.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { freeActivityName, freeName } from './likely-values.ts';
import { type Fix, type QuickFix, fixOfMeaning } from './quick-fix.ts';

/** Renames the second of two elements or entries of `entities` with the same name; relationships stay with the first. */
export const renameActivityTwice: QuickFix = {
  codes: ['duplicate-activity-name'],
  fixes(problem, { parsed }) {
    const { graph } = parsed;
    const isHere = (name: Located<string> | undefined): boolean => name?.range.start === problem.range.start;
    const element = graph.elements.find(({ activityName }) => isHere(activityName));
    if (element?.activityName)
      return renaming(freeActivityName(element.activityName.value, graph), problem.range, parsed.yaml);
    const entry = graph.entities.find(({ name, entityType, dataObject }) => isHere(name ?? entityType ?? dataObject));
    const taken = entry && masterDataName(entry);
    if (!entry || taken === undefined) return [];
    const free = freeActivityName(taken, graph);
    return entry.name ? renaming(free, problem.range, parsed.yaml) : naming(free, parsed.originOf(entry), parsed.yaml);
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
    return naming(name, parsed.originOf(relationship), parsed.yaml);
  },
};

/** Gives a name to an entry that is named after its entity type or data object. */
function naming(name: string, map: YAMLMap | undefined, yaml: YamlText): readonly Fix[] {
  const path = map && pathOf(yaml.document.contents, map);
  const look = { title: `Name it "${name}"`, preferred: true };
  return path ? fixOfMeaning(look, yaml, [{ kind: 'set', path: [...path, 'name'], value: name }]) : [];
}

function renaming(name: string, range: Problem['range'], yaml: YamlText): readonly Fix[] {
  const place = nodeAt(yaml.document.contents, range, yaml.text);
  const look = { title: `Rename it to "${name}"`, preferred: true };
  return place ? fixOfMeaning(look, yaml, [{ kind: 'set', path: place.path, value: name }]) : [];
}
