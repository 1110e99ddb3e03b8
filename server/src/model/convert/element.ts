import { type Node, isScalar } from 'yaml';
import type { EntityElement, PropertySelection, RowCorrelation } from '../entity-graph.ts';
import { resolveNode } from '../yaml-text.ts';
import { readKey } from './key.ts';
import { readRowExpectations } from './row-expectations.ts';
import { readProcessContext } from './process-context.ts';
import { readSelectedProperties } from './selected-properties.ts';
import {
  type YamlObject,
  atEndOfDayOf,
  flagOf,
  placedAt,
  present,
  readText,
  sqlOf,
  textOf,
  timeColumnOf,
  valueOf,
  objectsOf,
  rawTextOf,
  readObject,
} from './read-node.ts';
import type { LocatedSql } from '../source-range.ts';

/** One entry of `elements`. */
export function readElement(object: YamlObject, index: number): EntityElement {
  const texts = {
    activityName: textOf(object, 'activityName'),
    dataSource: textOf(object, 'dataSource'),
    dataObject: textOf(object, 'dataObject'),
    entityType: textOf(object, 'entityType'),
    startTimestamp: timeColumnOf(object, 'startTimestamp'),
    startAtEndOfDay: atEndOfDayOf(object, 'startTimestamp'),
    changeTimestamp: timeColumnOf(object, 'changeTimestamp'),
    changeAtEndOfDay: atEndOfDayOf(object, 'changeTimestamp'),
    sequence: textOf(object, 'sequence'),
    activityColumn: textOf(object, 'activityColumn'),
    startExpression: readTimeExpression(object, 'startTimestamp'),
    changeExpression: readTimeExpression(object, 'changeTimestamp'),
    key: readKey(object),
    correlatesWith: readRowCorrelations(object),
    ownEntity: flagOf(object, 'ownEntity'),
    joins: sqlOf(object, 'joins'),
    where: sqlOf(object, 'where'),
    expect: readRowExpectations(object),
    processContext: readProcessContext(valueOf(object, 'processContext'), object.yaml),
  };
  return placedAt(object.node, { index, properties: readProperties(object), ...present(texts) });
}

/** `all`, or the columns of a list; none when not given. */
export function readProperties(object: YamlObject): PropertySelection {
  const node = valueOf(object, 'properties');
  const text = readText(node, object.yaml);
  const resolved = resolveNode(node, object.yaml);
  if (text?.value === 'all' && isScalar(resolved)) return placedAt(node as Node, { kind: 'all' as const });
  return { kind: 'list', columns: readSelectedProperties(object) };
}

/** The entries of `correlatesWith`; undefined when the key is missing or its list has no entries. */
function readRowCorrelations(object: YamlObject): readonly RowCorrelation[] | undefined {
  if (!valueOf(object, 'correlatesWith')) return undefined;
  const entries = objectsOf(object, 'correlatesWith').map(readRowCorrelation);
  return entries.length > 0 ? entries : undefined;
}

function readRowCorrelation(object: YamlObject): RowCorrelation {
  const each = textOf(object, 'each');
  return placedAt(object.node, {
    key: readKey(object) ?? [],
    ...present({
      entityType: textOf(object, 'entityType'),
      qualifier: textOf(object, 'qualifier'),
      each: each?.value === 'list' ? (each as NonNullable<RowCorrelation['each']>) : undefined,
      separator: rawTextOf(object, 'separator'),
    }),
  });
}

/** The SQL of a computed time: `startTimestamp: { expression: … }`. */
function readTimeExpression(object: YamlObject, key: string): LocatedSql | undefined {
  const computed = readObject(valueOf(object, key), object.yaml);
  return computed && sqlOf(computed, 'expression');
}
