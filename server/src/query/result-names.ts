import type { SqlDialect } from '../catalog/catalog.ts';
import type { Identifiers } from '../dialects/dialect.ts';
import { dialectNamed } from '../dialects/index.ts';

/**
 * Distinct result column names for the engine, one per entry of `names`, unchanged if possible. Long names are
 * shortened by the engine's rule; conflicting ones are numbered. Names in `taken` are avoided.
 */
export function resultNames(
  names: readonly string[],
  dialect: SqlDialect,
  taken: readonly string[] = [],
): readonly string[] {
  const { identifiers } = dialectNamed(dialect);
  const used = new Set(taken.map(identifiers.key));
  return names.map((name) => {
    for (let number = 1; ; number += 1) {
      const candidate = shorten(name, number === 1 ? '' : `~${number}`, identifiers);
      const key = identifiers.key(candidate);
      if (used.has(key)) continue;
      used.add(key);
      return candidate;
    }
  });
}

function shorten(name: string, suffix: string, { maxBytes }: Identifiers): string {
  if (maxBytes === undefined || Buffer.byteLength(name + suffix) <= maxBytes) return name + suffix;
  let kept = '';
  let bytes = Buffer.byteLength(suffix);
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept + suffix;
}
