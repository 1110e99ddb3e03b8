/**
 * The names of data objects and columns that texts of a log become (docs/event-logs.md#names): a dot, a double quote and
 * control characters are `_`, and a name that is taken, in whatever case, is numbered.
 */
export function sanitizeNames(texts: readonly string[], taken: readonly string[] = []): readonly string[] {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  return texts.map((text) => {
    const plain = text.replaceAll(/[."\p{Cc}]/gu, '_') || '_';
    let name = plain;
    for (let number = 2; known.has(name.toLowerCase()); number += 1) name = `${plain}_${number}`;
    known.add(name.toLowerCase());
    return name;
  });
}
