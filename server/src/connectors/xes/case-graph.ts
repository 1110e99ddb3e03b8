import type { DraftEntity, DraftModel, DraftProperty } from '../../draft/draft-model.ts';
import { logEntityType } from '../../event-logs/xes/xes-head.ts';
import { headColumns } from './head-columns.ts';
import type { XesAttribute, XesShape } from './read-shape.ts';

/** The graph of a log: each trace is an entity, and its events belong to it. */
export function caseGraph(shape: XesShape): DraftModel {
  const {
    name: entityType = 'trace',
    eventAttributes,
    traceAttributes,
    hasEmptyTraces,
    activity,
    lifecycle,
    head,
  } = shape;
  const columnOf = (name: string): string | undefined => eventAttributes.find((each) => each.name === name)?.column;
  const activityName = entityType === 'Event' ? 'Trace event' : 'Event';
  const trace: DraftEntity = {
    name: entityType,
    dataObject: 'trace',
    key: ['trace_id'],
    properties: properties(traceAttributes, ['concept:name'], 'entity_id'),
    reason: 'traces of the log',
  };
  const log: DraftEntity = {
    name: logEntityType,
    dataObject: 'log',
    key: ['log_id'],
    properties: headColumns(head).flatMap(({ name, value }) => (value === undefined ? [] : [name])),
    reason: 'what the log says of itself, for exports as XES',
  };
  return {
    elements: [
      {
        activityName,
        dataObject: 'event',
        entityType,
        key: ['trace_id'],
        start: { column: columnOf('time:timestamp') ?? 'time:timestamp' },
        lifecycle,
        sequence: 'position',
        activityColumn: activity?.column,
        properties: properties(eventAttributes, ['concept:name', 'time:timestamp']),
        objects: [],
        reasons: {},
      },
    ],
    entities: [
      ...(trace.properties.length > 0 || hasEmptyTraces ? [trace] : []),
      ...(log.properties.length > 0 && entityType !== logEntityType ? [log] : []),
    ],
    relationships: [],
  };
}

/** Properties are called like attributes; a reserved name is numbered. */
function properties(
  attributes: readonly XesAttribute[],
  without: readonly string[],
  reserved?: string,
): readonly DraftProperty[] {
  const taken = new Set(reserved === undefined ? [] : [reserved]);
  return attributes
    .filter(({ name }) => !without.includes(name))
    .map(({ name, column }) => {
      let property = name;
      for (let number = 2; taken.has(property.toLowerCase()); number += 1) property = `${name}_${number}`;
      taken.add(property.toLowerCase());
      return property === column ? column : { column, name: property };
    });
}
