import { type EntityGraph, relationshipName } from '../model/entity-graph.ts';
import type { SourceRange } from '../model/source-range.ts';
import type { QueryTarget } from '../../../protocol/query-results.ts';

/** An action that is offered above a line. */
export interface Lens {
  readonly range: SourceRange;
  readonly title: string;
  readonly action: 'testQuery' | 'showQuery' | 'import' | 'openCanvasToSide';
  readonly target?: QueryTarget;
}

/** Import and canvas above the file; the queries above every element and relationship that has a name. */
export function codeLenses({ elements, relationships }: EntityGraph): readonly Lens[] {
  if (elements.length === 0) return [];
  const top = { start: 0, end: 0 };
  const queries = (range: SourceRange, target: QueryTarget): readonly Lens[] => [
    { range, title: 'Test Query', action: 'testQuery', target },
    { range, title: 'Show Query', action: 'showQuery', target },
  ];
  return [
    { range: top, title: 'Import', action: 'import' },
    { range: top, title: 'Open Canvas', action: 'openCanvasToSide' },
    ...elements.flatMap(({ activityName, range }) =>
      activityName ? queries(range, { kind: 'element', name: activityName.value }) : [],
    ),
    ...relationships.flatMap((relationship) =>
      relationship.source && relationship.target
        ? queries(relationship.range, { kind: 'relationship', name: relationshipName(relationship) })
        : [],
    ),
  ];
}
