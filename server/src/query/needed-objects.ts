import type { Catalog } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { LocatedSql } from '../model/source-range.ts';
import { identifierKey, mentionedNames } from './sql-names.ts';

/**
 * The data objects that must exist before a query runs: those of the model, then those mentioned in its custom SQL, in
 * catalog order. Only files need the latter (attached as views on request); a column named like a file only attaches an
 * unused view.
 */
export function neededObjects(
  named: readonly string[],
  texts: readonly LocatedSql[],
  catalog: Catalog,
): readonly string[] {
  const { dialect } = catalog;
  if (!dialectNamed(dialect).isEmbedded || texts.length === 0) return [...new Set(named)];
  const mentioned = new Set(texts.flatMap((text) => [...mentionedNames(text.value, dialect)]));
  const found = catalog.objects.filter((object) =>
    mentioned.has(identifierKey(object.path.at(-1) ?? object.name, dialect)),
  );
  return [...new Set([...named, ...found.map((object) => object.name)])];
}
