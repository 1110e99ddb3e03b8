import { relationshipName } from '../../model/entity-graph.ts';
import { setKeys } from '../../model/edits/key-edits.ts';
import { isJsonText } from '../../model/edits/editable-yaml.ts';
import { writtenLike } from '../../model/edits/text-edit.ts';
import type { Problem } from '../../model/problem.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { freeActivityName, freeName } from './likely-values.ts';
import { type Fix, type QuickFix, fixWith } from './quick-fix.ts';

/** Gives the second element of a name one of its own; relationships stay with the first. */
export const renameActivityTwice: QuickFix = {
  codes: ['duplicate-activity-name'],
  fixes(problem, { graph, parsed }) {
    const name = graph.elements.find(({ activityName }) => activityName?.range.start === problem.range.start);
    return name?.activityName
      ? [renaming(freeActivityName(name.activityName.value, graph), problem.range, parsed.yaml)]
      : [];
  },
};

/** Gives the second relationship of a name one of its own. */
export const renameRelationshipTwice: QuickFix = {
  codes: ['duplicate-relationship-name'],
  fixes({ range }, { graph, parsed }) {
    const relationship = graph.relationships.find(
      (each) => each.name?.range.start === range.start || (!each.name && each.range.start === range.start),
    );
    if (!relationship) return [];
    const name = freeName(relationshipName(relationship), new Set(graph.relationships.map(relationshipName)));
    if (relationship.name) return [renaming(name, range, parsed.yaml)];
    const map = parsed.originOf(relationship);
    return map
      ? fixWith({ title: `Name it "${name}"`, preferred: true }, () => setKeys(parsed.yaml, map, [['name', name]]))
      : [];
  },
};

function renaming(name: string, range: Problem['range'], { text, document }: YamlText): Fix {
  const original = isJsonText(text, document.contents) ? '"' : text.slice(range.start, range.end);
  return { title: `Rename it to "${name}"`, edits: [{ range, newText: writtenLike(name, original) }], preferred: true };
}
