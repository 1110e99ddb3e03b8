/** A single path unchanged; for several, the pattern that matches the most files, and the shortest of these. */
export function proposedPattern(paths: readonly string[]): string | undefined {
  const [only] = paths;
  if (paths.length === 1) return only;
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [, folder = '', ending = ''] = /^(.*\/)?[^/]*?(\.[^./]+(?:\.gz)?)$/i.exec(path) ?? [];
    const pattern = `${folder}*${ending}`;
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  const [best] = [...counts].sort(
    ([one, oneCount], [other, otherCount]) =>
      otherCount - oneCount || one.length - other.length || (one < other ? -1 : 1),
  );
  return best?.[0];
}
