import type { MasterData } from '../entity-graph.ts';
import { readProperties } from './element.ts';
import { readKey } from './key.ts';
import { readProcessContext } from './process-context.ts';
import { readRowExpectations } from './row-expectations.ts';
import { type YamlObject, atEndOfDayOf, placedAt, present, sqlOf, textOf, timeColumnOf, valueOf } from './read-node.ts';

/** One entry of `entities`. */
export function readMasterData(object: YamlObject, index: number): MasterData {
  return placedAt(object.node, {
    isMasterData: true as const,
    index,
    properties: readProperties(object),
    ...present({
      name: textOf(object, 'name'),
      entityType: textOf(object, 'entityType'),
      dataSource: textOf(object, 'dataSource'),
      dataObject: textOf(object, 'dataObject'),
      key: readKey(object),
      validFrom: timeColumnOf(object, 'validFrom'),
      validFromAtEndOfDay: atEndOfDayOf(object, 'validFrom'),
      joins: sqlOf(object, 'joins'),
      where: sqlOf(object, 'where'),
      expect: readRowExpectations(object),
      processContext: readProcessContext(valueOf(object, 'processContext'), object.yaml),
    }),
  });
}
