import { firstLineAt, movedDown } from '../../../protocol/first-lines.ts';
import type { GraphView, ProblemAddress, ProblemView } from '../../../protocol/graph-view.ts';
import type { TextRange } from '../../../protocol/query-results.ts';
import { correlationOf } from './correlation-links.ts';
import { idIn, keyOf } from './view-key.ts';

/** Range in the file of a card or relationship, by key; of a correlation, that of its element. */
export function rangeOf(view: GraphView | undefined, key: string | undefined): TextRange | undefined {
  const link = correlationOf(view, key);
  if (link) return rangeOf(view, keyOf.element(link.source));
  const [list, id] = key?.startsWith('element:')
    ? (['elements', idIn('element', key)] as const)
    : (['relationships', idIn('relationship', key)] as const);
  const index = view?.[list].findIndex((entry) => entry.id === id) ?? -1;
  const range = view?.[list][index]?.range;
  return view && range && movedDown(range, firstLineAt(view, list, index));
}

/** Range in the file of a problem at an entry. */
export function problemRange(view: GraphView, { list, entry: id }: ProblemAddress, problem: ProblemView): TextRange {
  const index = view[list].findIndex((entry) => entry.id === id);
  return movedDown(problem.range, firstLineAt(view, list, index));
}
