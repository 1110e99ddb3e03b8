/** The values of a type such as `enum('open','it''s')`; undefined for other types. A SET holds several of its values. */
export function listedValues(type: string): readonly string[] | undefined {
  const list = /^enum\(([^]*)\)$/i.exec(type)?.[1];
  if (list === undefined) return undefined;
  return [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"));
}
