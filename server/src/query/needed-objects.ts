import type { Catalog } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { LocatedSql } from '../model/source-range.ts';
import { identifierKey, mentionedNames } from './sql-names.ts';

/**
 * The data objects that must exist before a query runs: those that the model names, then those that its custom SQL
 * mentions, in catalog order. Only files need that second part (they are attached as views on request), and a column
 * that happens to have the name of a file merely attaches a view too many.
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
