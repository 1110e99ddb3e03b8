import type { RelationshipQuery, MatchedColumn, ValueMatch } from '../../query/compiled-query.ts';

type Ask = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The statements that find different texts with equal values. */
export function valueMatchSteps(query: object): readonly { readonly title: string; readonly sql: string }[] {
  return matchesOf(query).flatMap(({ left, right, unusual, sql }) => {
    const pair = `${left.column} of ${left.dataObject} and of ${right.column} of ${right.dataObject}`;
    return [
      ...(unusual === undefined
        ? []
        : [{ title: `Whether texts of ${pair} may be equal as values only`, sql: unusual }]),
      { title: `Where they may: texts of ${pair} that are equal as values only`, sql },
    ];
  });
}

/** Missed matches of a relationship with equal values, because keys are texts. One sentence per mapping. */
export async function valueMatchWarnings(query: object, ask: Ask): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const match of matchesOf(query)) {
    const [found] = match.unusual === undefined ? [] : await ask(match.unusual);
    if (found?.['unusual'] === false) continue;
    const [pair] = await ask(match.sql);
    if (pair) warnings.push(warningOf(match, String(pair['left_text']), String(pair['right_text'])));
  }
  return warnings;
}

function matchesOf(query: object): readonly ValueMatch[] {
  return (query as Partial<RelationshipQuery>).valueMatches ?? [];
}

function warningOf({ left, right }: ValueMatch, one: string, other: string): string {
  const type = typeFor(left, right);
  const wishes = [left, right].map(
    ({ column, file, dataObject }) => `types: { "${column}": ${type} } for ${file ?? dataObject}`,
  );
  return `"${one}" in ${left.column} of ${left.dataObject} and "${other}" in ${right.column} of ${right.dataObject} are one value, but different texts: a mapping with = compares texts of files, so they are not related. To compare values, declare the type: ${[...new Set(wishes)].join(', ')}.`;
}

/** A type that fits the values of both. */
function typeFor(left: MatchedColumn, right: MatchedColumn): string {
  const types = [left.type, right.type].filter((type) => type !== 'VARCHAR');
  return types.find((type) => type === 'DOUBLE') ?? types[0] ?? 'VARCHAR';
}
