import type { QueryTarget, RowCondition } from '../../protocol/query-results.ts';

/** The queried part of a graph. */
export type QueryPart = QueryTarget | { readonly kind: 'plan'; readonly name: string };

/**
 * The path of the document of a query. It includes graph and kind, because names may repeat, and which rows it is about.
 * Its extension selects the language, see `package.json`.
 */
export function queryPath(graphPath: string, part: QueryPart, ending: 'http' | 'sql'): string {
  const rows = 'only' in part && part.only ? ` (${conditionText(part.only)})` : '';
  const path = `${graphPath}/${part.kind}/${`${part.name}${rows}`.replaceAll(/[/\\]/g, '∕')}.${ending}`;
  return path.startsWith('/') ? path : `/${path}`;
}

/** A text that distinguishes selections of rows of one query. */
function conditionText(only: RowCondition): string {
  switch (only.kind) {
    case 'withoutKey':
      return 'no key';
    case 'repeatedKey':
      return 'same key';
    case 'withoutActivity':
      return 'no activity';
    case 'key':
      return only.key;
    case 'changeBeforeStart':
      return 'change before start';
    case 'endBeforeStart':
      return 'end before start';
    case 'infiniteTime':
      return 'infinite time';
    case 'empty':
      return `no ${only.column}`;
    case 'repeated':
      return `same ${only.columns.join(', ')}`;
    case 'otherValue':
      return `other ${only.column}`;
  }
}
