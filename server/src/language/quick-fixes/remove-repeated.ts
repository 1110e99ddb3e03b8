import { isScalar, isSeq, visit } from 'yaml';
import { pathOf } from '../../model/node-path.ts';
import { type Fix, type QuickFix, fixOfMeaning } from './quick-fix.ts';

/** Removes duplicates from a list of names. */
export const removeRepeated: QuickFix = {
  codes: ['schema-value'],
  fixes({ range }, { parsed: { yaml } }) {
    let fixes: readonly Fix[] = [];
    visit(yaml.document, {
      Seq(_key, list) {
        const values = list.items.map((item) => (isScalar(item) ? item.value : undefined));
        const index = list.items.findIndex((item) => isScalar(item) && item.range?.[0] === range.start);
        if (index < 0 || !isSeq(list)) return undefined;
        const name = values[index];
        const path = values.indexOf(name) < index ? pathOf(yaml.document.contents, list) : undefined;
        const look = { title: `Remove this "${String(name)}"`, preferred: true };
        if (path) fixes = fixOfMeaning(look, yaml, [{ kind: 'remove', path: [...path, index] }]);
        return visit.BREAK;
      },
    });
    return fixes;
  },
};
