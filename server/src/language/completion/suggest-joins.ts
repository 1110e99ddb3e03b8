import type { CrossTableValues, JoinSuggestion } from '../../../../protocol/canvas-intents.ts';
import { type Catalog, type DataObject, type ForeignKey, findColumn, findDataObject } from '../../catalog/catalog.ts';
import { type GraphCatalog, commonCatalog } from '../../catalog/graph-catalog.ts';
import { isUsualKeyName } from '../../catalog/usual-key-names.ts';
import type { EntitySource } from '../../model/entity-graph.ts';

const maxSuggestions = 8;

/**
 * Suggested joins of two elements or entries of `entities`; none for those of different data sources. A suggested cross
 * table names its data source unless it is that of the file and no other one has a data object of that name.
 */
export function suggestJoinsOf(
  catalog: GraphCatalog,
  source: EntitySource | undefined,
  target: EntitySource | undefined,
): readonly JoinSuggestion[] {
  const own = commonCatalog(catalog, source, target);
  if (!own || !source?.dataObject || !target?.dataObject) return [];
  const joins = suggestJoins(own, source.dataObject.value, target.dataObject.value);
  const { dataSource } = own;
  const isNamed = ({ dataObject = '' }: CrossTableValues): boolean =>
    own !== catalog || catalog.others?.some((other) => findDataObject(other, dataObject)) === true;
  return joins.map((join) =>
    join.crossTable && isNamed(join.crossTable) ? { ...join, crossTable: { dataSource, ...join.crossTable } } : join,
  );
}

/**
 * Suggested joins of two data objects: foreign keys in either direction, foreign keys of a third object to both, then a
 * column named like the other object's key.
 */
export function suggestJoins(catalog: Catalog, source: string, target: string): readonly JoinSuggestion[] {
  const [from, to] = [findDataObject(catalog, source), findDataObject(catalog, target)];
  if (!from || !to) return [];
  const suggestions = [
    ...from.foreignKeys.flatMap((key) => (key.references.dataObject === to.name ? forward(key) : [])),
    ...to.foreignKeys.flatMap((key) => (key.references.dataObject === from.name ? backward(key) : [])),
    ...bridges(catalog, from, to),
    ...alike(from, to),
  ];
  const seen = new Set<string>();
  return suggestions
    .filter(({ mappings, crossTable }) => {
      const text = JSON.stringify([mappings, crossTable]);
      return !seen.has(text) && seen.add(text);
    })
    .slice(0, maxSuggestions);
}

function forward({ name, columns, references }: ForeignKey): JoinSuggestion {
  return {
    reason: reasonOf(name),
    mappings: columns.map((column, index) => ({ source: column, target: references.columns[index] ?? '' })),
  };
}

function backward({ name, columns, references }: ForeignKey): JoinSuggestion {
  return {
    reason: reasonOf(name),
    mappings: columns.map((column, index) => ({ source: references.columns[index] ?? '', target: column })),
  };
}

function reasonOf(name: string): string {
  return name === '' ? 'foreign key' : `foreign key ${name}`;
}

/** Objects with a foreign key to each of the two. */
function bridges({ objects }: Catalog, from: DataObject, to: DataObject): readonly JoinSuggestion[] {
  return objects.flatMap((object): JoinSuggestion[] => {
    const left = object.foreignKeys.filter(({ references }) => references.dataObject === from.name);
    const right = object.foreignKeys.filter(({ references }) => references.dataObject === to.name);
    if (object === from || object === to) return [];
    return left.flatMap((one) =>
      right
        .filter((other) => other !== one)
        .map((other): JoinSuggestion => {
          const crossTable: CrossTableValues = {
            dataObject: object.name,
            sourceMappings: one.columns.map((cross, index) => ({ column: one.references.columns[index] ?? '', cross })),
            targetMappings: other.columns.map((cross, index) => ({
              column: other.references.columns[index] ?? '',
              cross,
            })),
          };
          return { reason: `through ${object.name}`, mappings: [], crossTable };
        }),
    );
  });
}

/**
 * `problem_id` or `problem` of one object and the single key of `problem`; or a common column name that is a key on one
 * side.
 */
function alike(from: DataObject, to: DataObject): readonly JoinSuggestion[] {
  const named = (object: DataObject, other: DataObject): readonly (readonly [string, string])[] => {
    const key = other.primaryKey.length === 1 ? other.primaryKey[0] : undefined;
    if (key === undefined) return [];
    const singular = bare(other.name).replace(/s$/i, '');
    const names = [
      key,
      `${bare(other.name)}_${key}`,
      `${singular}_${key}`,
      `${singular}_id`,
      `${singular}id`,
      bare(other.name),
      singular,
    ];
    const wanted = new Set(names.map((name) => name.toLowerCase()));
    return object.columns
      .filter(({ name, sense }) => wanted.has(name.toLowerCase()) && sense === findColumn(other, key)?.sense)
      .map(({ name }) => [name, key] as const);
  };
  // Equal names such as `id` on both sides do not make a join.
  const isOwnKey = (object: DataObject, column: string): boolean =>
    object.primaryKey.length === 1 && object.primaryKey[0] === column && isUsualKeyName(column);
  return [
    ...named(from, to)
      .filter(([column]) => !isOwnKey(from, column))
      .map(([source, target]) => ({ reason: 'same name', mappings: [{ source, target }] })),
    ...named(to, from)
      .filter(([column]) => !isOwnKey(to, column))
      .map(([target, source]) => ({ reason: 'same name', mappings: [{ source, target }] })),
  ];
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
