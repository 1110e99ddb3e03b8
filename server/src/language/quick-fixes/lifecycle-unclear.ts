import { type Fix, type QuickFix, fixOfMeaning } from './quick-fix.ts';

/** Removes one of two ways to say the end of an activity, or a transition from the list of ends. */
export const oneEnd: QuickFix = {
  codes: ['lifecycle-unclear'],
  fixes({ range }, { parsed: { graph, yaml } }) {
    return graph.elements.flatMap(({ index, lifecycle }): readonly Fix[] => {
      if (!lifecycle) return [];
      const path = ['elements', index];
      const remove = (title: string, ...keys: readonly (string | number)[]): readonly Fix[] =>
        fixOfMeaning({ title, preferred: false }, yaml, [{ kind: 'remove', path: [...path, ...keys] }]);
      if (lifecycle.range.start === range.start) {
        return [...remove('Remove endTimestamp', 'endTimestamp'), ...remove('Remove lifecycle', 'lifecycle')];
      }
      const place = lifecycle.end.findIndex((each) => each.range.start === range.start);
      if (place < 0 || lifecycle.end.length < 2) return [];
      return remove(`Remove "${lifecycle.end[place]?.value ?? ''}" from end`, 'lifecycle', 'end', place);
    });
  },
};
