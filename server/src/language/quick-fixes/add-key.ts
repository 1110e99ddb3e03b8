import type { DataObject } from '../../catalog/catalog.ts';
import { dataObjectOf } from '../../catalog/graph-catalog.ts';
import { generatedKeyNames } from '../../catalog/usual-key-names.ts';
import { sourceName } from '../../query/query-problems.ts';
import { fixWithValues } from './missing-keys.ts';
import type { QuickFix } from './quick-fix.ts';

const maxFixes = 3;

/**
 * Adds the column that most likely identifies rows as key of an element, or an entry of `entities`, on a data object
 * without a primary key.
 */
export const addKey: QuickFix = {
  codes: ['missing-key'],
  fixes({ range }, { parsed, catalog }) {
    const { graph } = parsed;
    const element = [...graph.elements, ...graph.entities].find(
      (source) => (sourceName(source) ?? source.dataObject)?.range.start === range.start,
    );
    const map = element && parsed.originOf(element);
    const object = catalog && element && dataObjectOf(element, catalog);
    if (!map || !object) return [];
    const columns = likelyKeys(object).slice(0, maxFixes);
    return columns.flatMap((column, index) =>
      fixWithValues({ title: `Identify the entity by "${column}"`, preferred: index === 0 }, parsed.yaml, map, [
        ['key', column],
      ]),
    );
  },
};

/** Columns named like a key, then those with unique values by statistics. */
function likelyKeys({ name, columns, statistics }: DataObject): readonly string[] {
  const singular = name
    .slice(name.lastIndexOf('.') + 1)
    .toLowerCase()
    .replace(/s$/, '');
  const usual: readonly string[] = [
    ...generatedKeyNames,
    'uuid',
    'number',
    `${singular}_id`,
    `${singular}id`,
    `${singular}_key`,
    singular,
  ];
  const rank = (column: DataObject['columns'][number]): number => {
    const place = usual.indexOf(column.name.toLowerCase());
    if (place >= 0) return place;
    const { rowEstimate = 0 } = statistics;
    const isDistinct = rowEstimate > 0 && (column.distinctEstimate ?? 0) >= rowEstimate * 0.95;
    const isName = column.sense === 'text' || column.sense === 'integer';
    return isDistinct && isName && !column.nullable ? usual.length : Infinity;
  };
  return columns
    .filter((column) => rank(column) < Infinity)
    .toSorted((one, other) => rank(one) - rank(other))
    .map((column) => column.name);
}
