import type { Catalog, Column, DataObject } from '../catalog/catalog.ts';
import { sourceKind } from '../connectors/source-kinds.ts';
import type { JsonObject } from '../model/edits/json-value.ts';
import { newText } from '../model/edits/new-text.ts';

/** A generated graph, and the omitted objects. */
export interface ScaffoldedGraph {
  readonly text: string;
  /** Objects without a start timestamp candidate, or without an identifier. */
  readonly leftOut: readonly string[];
}

/**
 * Generates an entity graph with an element for every object with times, and a relationship for every foreign key
 * between them.
 */
export function scaffoldGraph(name: string, catalog: Catalog, objects: readonly DataObject[]): ScaffoldedGraph {
  const special = sourceKind(catalog.kind)?.scaffoldElement;
  const parts = objects.map((object) => ({ object, element: special?.(object, objects) ?? elementOf(object) }));
  const known = new Map(parts.flatMap(({ object, element }) => (element ? [[object.name, element] as const] : [])));
  const relationships = [...known].flatMap(([name, element]) => {
    const object = objects.find((each) => each.name === name);
    return (object?.foreignKeys ?? []).flatMap(({ columns, references }) => {
      const target = known.get(references.dataObject);
      if (!target) return [];
      return {
        name: `${name} ${columns.join(', ')}`,
        source: element.activityName,
        target: target.activityName,
        mappings: columns.map((source, index) => ({ source, target: references.columns[index] ?? '' })),
      };
    });
  });
  const graph = {
    version: 1,
    name,
    dataSource: catalog.dataSource,
    dataObjects: [...known.keys()],
    elements: [...known.values()],
    ...(relationships.length > 0 ? { relationships } : {}),
  };
  const leftOut = parts.filter(({ element }) => !element).map(({ object }) => object.name);
  return { text: newText(graph as JsonObject), leftOut };
}

function elementOf(object: DataObject) {
  const times = object.columns.filter(({ sense }) => sense === 'timestamp' || sense === 'date');
  const changed = times.find(({ name }) => /updat|chang|modif/i.test(name));
  const start =
    times.find(({ name }) => /creat|open|start|order|begin/i.test(name)) ??
    times.find((each) => each !== changed) ??
    changed;
  const key = object.primaryKey.length > 0 ? undefined : keyOf(object.columns);
  if (!start || (object.primaryKey.length === 0 && !key)) return undefined;
  return {
    activityName: `Record ${object.name}`,
    dataObject: object.name,
    ...(key ? { key } : {}),
    startTimestamp: start.name,
    ...(changed && changed !== start ? { changeTimestamp: changed.name } : {}),
    properties: 'all',
  };
}

/** Without a primary key: a unique column set without NULLs, else a column named like a key. */
function keyOf(columns: readonly Column[]): string | readonly string[] | undefined {
  const identifying = columns.filter((column) => column.identifying && !column.nullable).map(({ name }) => name);
  if (identifying.length > 1) return identifying;
  return identifying[0] ?? likelyKey(columns)?.name;
}

/** A column named like a key. */
function likelyKey(columns: readonly Column[]): Column | undefined {
  return (
    columns.find(({ name }) => /^(id|number|key|sys_id)$/i.test(name)) ?? columns.find(({ name }) => /_id$/i.test(name))
  );
}
