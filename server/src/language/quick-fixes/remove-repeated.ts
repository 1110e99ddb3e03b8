import { isScalar, isSeq, visit } from 'yaml';
import { removeFromList } from '../../model/edits/list-edits.ts';
import type { Fix, QuickFix } from './quick-fix.ts';

/** Removes what is in a list of names a second time. */
export const removeRepeated: QuickFix = {
  codes: ['schema-value'],
  fixes({ range }, { parsed: { yaml } }) {
    let fix: Fix | undefined;
    visit(yaml.document, {
      Seq(_key, list) {
        const values = list.items.map((item) => (isScalar(item) ? item.value : undefined));
        const index = list.items.findIndex((item) => isScalar(item) && item.range?.[0] === range.start);
        if (index < 0 || !isSeq(list)) return undefined;
        const name = values[index];
        const edit = values.indexOf(name) < index ? removeFromList(list, index, yaml.text) : undefined;
        if (edit) fix = { title: `Remove this "${String(name)}"`, edits: [edit], preferred: true };
        return visit.BREAK;
      },
    });
    return fix ? [fix] : [];
  },
};
