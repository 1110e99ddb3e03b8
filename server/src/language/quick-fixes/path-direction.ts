import { nodeAt } from '../../model/node-path.ts';
import { type QuickFix, fixOfMeaning } from './quick-fix.ts';

/** Adds the direction in which a path follows a relationship between entities of one type. */
export const sayPathDirection: QuickFix = {
  codes: ['path-direction'],
  fixes({ range }, { parsed: { graph, yaml } }) {
    const place = nodeAt(yaml.document.contents, range, yaml.text);
    const step = graph.relationships
      .flatMap(({ path }) => path?.steps ?? [])
      .find(({ relationship }) => relationship.range.start === range.start);
    if (!place || !step) return [];
    const relationship = step.relationship.value;
    // A step that is an object already lacks the direction only.
    const path = place.path.at(-1) === 'relationship' ? place.path.slice(0, -1) : place.path;
    return [false, true].flatMap((reverse) =>
      fixOfMeaning(
        {
          title: reverse
            ? `Follow "${relationship}" from target to source`
            : `Follow "${relationship}" from source to target`,
        },
        yaml,
        [{ kind: 'set', path, value: { relationship, reverse } }],
      ),
    );
  },
};
