/**
 * The names of data objects and columns that texts of a log become (docs/event-logs.md#names): a dot, a double quote and
 * control characters are `_`, and a name that is taken, in whatever case, is numbered.
 */
export function sanitizeNames(texts: readonly string[], taken: readonly string[] = []): readonly string[] {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  const numbers = new Map<string, number>();
  return texts.map((text) => {
    const plain = text.replaceAll(/[."\p{Cc}]/gu, '_') || '_';
    const key = plain.toLowerCase();
    let name = plain;
    let number = numbers.get(key) ?? 2;
    for (; known.has(name.toLowerCase()); number += 1) name = `${plain}_${number}`;
    numbers.set(key, number);
    known.add(name.toLowerCase());
    return name;
  });
}
