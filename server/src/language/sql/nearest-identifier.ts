import type { Catalog } from '../../catalog/catalog.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { quoteIdentifier } from '../../query/quote.ts';

/** A name as SQL of the catalog's dialect must write it: bare where that is read as the same name, else in quotes. */
export function sqlIdentifier(name: string, { dialect }: Pick<Catalog, 'dialect'>): string {
  const bare = dialect === 'postgresql' ? /^[a-z_][a-z0-9_]*$/ : /^[A-Za-z_][A-Za-z0-9_]*$/;
  return bare.test(name) ? name : quoteIdentifier(name);
}

/** The suggestion to write a name at a place of custom SQL; none where its quotes would have to be escaped for YAML. */
export function nearestIdentifier(
  nearest: string | undefined,
  range: SourceRange,
  text: string,
  catalog: Pick<Catalog, 'dialect'> | undefined,
): Pick<Problem, 'suggestions' | 'isVerbatim'> {
  if (nearest === undefined || !catalog) return {};
  const written = sqlIdentifier(nearest, catalog);
  if (written !== nearest && isFlowScalar(text, range.start)) return {};
  return { suggestions: [written], isVerbatim: true };
}

/** Whether the SQL at an offset may be a plain or quoted scalar: then its line begins with a key, or it is in brackets. */
function isFlowScalar(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\s*(?:- )*["']?(?:where|joins|expression)["']?\s*:|[{[]/.test(line);
}
