import type { BuildSource } from '../../import/build/build-source.ts';
import { correlatingRelationships } from '../../import/build/correlations.ts';
import { entityPropertyNames } from '../../import/build/master-data.ts';
import { propertyNames } from '../../import/build/properties.ts';
import { entityPropertiesTable, propertiesColumns, propertiesTable } from '../../graph-schema/table-names.ts';
import type { JudgedGraphTables, PropertyTable } from '../../rule-kinds/judged-tables.ts';

/** What the tables of a graph follow from. */
type BuiltGraphSource = Pick<BuildSource, 'elements' | 'entities' | 'relationships' | 'paths'>;

/** The tables of a graph for the statements of rules, known before it is built. */
export function builtGraphTables(
  { elements, entities, relationships, paths }: BuiltGraphSource,
  place: Pick<JudgedGraphTables, 'dialect' | 'table'>,
): JudgedGraphTables {
  const ofEvents = elements.map(({ plan, properties }) => ({
    name: propertiesTable(plan.number),
    isOfEvents: true,
    properties: propertyNames(properties, propertiesColumns),
    types: properties.map(({ stagedType }) => stagedType),
  }));
  const ofEntities = entities.map((entry) => ({
    name: entityPropertiesTable(entry.plan.number),
    isOfEvents: false,
    properties: entityPropertyNames(entry),
    types: entry.properties.map(({ stagedType }) => stagedType),
  }));
  const tables: readonly PropertyTable[] = [...ofEvents, ...ofEntities];
  return {
    ...place,
    properties: tables.filter(({ properties }) => properties.length > 0),
    entityTypes: [
      ...new Set([
        ...elements.filter(({ plan }) => plan.ownEntity).map(({ plan }) => plan.entityType),
        ...elements.flatMap(({ correlations }) => correlations.map(({ plan }) => plan.entityType)),
        ...entities.map(({ plan }) => plan.entityType),
      ]),
    ],
    hasCorrelations:
      correlatingRelationships(relationships, paths).some(({ plan }) => plan.correlate !== 'none') ||
      elements.some(({ correlations }) => correlations.length > 0),
  };
}
