import { findDataObject } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { dataSourceNamed } from '../model/data-sources-used.ts';
import {
  type CrossMapping,
  type CrossTable,
  type EntityGraph,
  type EntitySource,
  type Mapping,
  type Relationship,
  relationshipName,
} from '../model/entity-graph.ts';
import { endsByName } from '../model/relationship-ends.ts';
import type { Located } from '../model/source-range.ts';
import { type SqlObject, columnsInSql } from './columns-in-sql.ts';
import { type EntryOutputs, columnReader } from './entry-outputs.ts';
import type { ColumnUse, Output } from './output.ts';

/** An output for each relationship; a path is made of the relationships that it follows. */
export function relationshipOutputs(
  graph: EntityGraph,
  catalog: GraphCatalog | undefined,
  entries: EntryOutputs,
): ReadonlyMap<Relationship, Output> {
  const found = new Map<Relationship, Output>();
  const relationshipNamed = relationshipFinder(graph);
  const known = { graph, catalog, entries, ends: endsByName(graph) };
  /** The paths that lead to where the search is: one that leads back is a mistake, and ends there. */
  const within = new Set<Relationship>();
  for (const relationship of graph.relationships) find(relationship);
  return found;

  function find(relationship: Relationship): readonly Output[] {
    const output = found.get(relationship);
    if (output) return [output];
    if (within.has(relationship)) return [];
    within.add(relationship);
    const traced = relationship.path
      ? { ...named(relationship), columns: [], from: stepsOf(relationship) }
      : outputOf(relationship, known);
    within.delete(relationship);
    found.set(relationship, traced);
    return [traced];
  }

  function stepsOf({ path }: Relationship): readonly Output[] {
    const steps = (path?.steps ?? []).flatMap((step) => relationshipNamed(step.relationship.value) ?? []);
    return [...new Set(steps)].flatMap(find);
  }
}

function named(relationship: Relationship): Pick<Output, 'kind' | 'name' | 'range'> {
  const { range } = relationship.name ?? relationship.source ?? relationship;
  return { kind: 'relationship', name: relationshipName(relationship), range };
}

/** What the columns of relationships are found by. */
interface KnownEntries {
  readonly graph: EntityGraph;
  readonly catalog: GraphCatalog | undefined;
  readonly entries: EntryOutputs;
  readonly ends: ReadonlyMap<string, EntitySource>;
}

function outputOf(relationship: Relationship, { graph, catalog, entries, ends: endNamed }: KnownEntries): Output {
  const ends = { source: endOf(relationship.source), target: endOf(relationship.target) };
  const from = [ends.source, ends.target].flatMap(
    (end) => entries.get(end?.entry as never)?.filter(({ kind }) => kind === 'rows' || kind === 'key') ?? [],
  );
  const columns = [
    ...relationship.mappings.flatMap(mappingColumns),
    ...(relationship.crossTable ? crossColumns(relationship.crossTable) : []),
  ];
  return { ...named(relationship), columns, from: [...new Set(from)] };

  function endOf(name: Located<string> | undefined) {
    const entry = name && endNamed.get(name.value);
    return entry && { entry, reader: columnReader(graph, entry, catalog) };
  }

  function mappingColumns(mapping: Mapping): readonly ColumnUse[] {
    if (mapping.kind === 'columns') {
      return (['source', 'target'] as const).flatMap(
        (end) => ends[end]?.reader.named(mapping[end], 'comparison') ?? [],
      );
    }
    return [...sides()].flatMap(({ alias, object, dataSource, dialect }) =>
      columnsInSql(mapping.expression, [{ alias, object } satisfies SqlObject], dialect)
        // A bare name in such a condition belongs to no side for sure.
        .filter(({ isQualified }) => isQualified)
        .map(({ column, range }) => ({
          dataSource,
          dataObject: object.name,
          column,
          role: 'comparison' as const,
          range,
        })),
    );
  }

  function* sides() {
    for (const alias of ['source', 'target'] as const) {
      const scope = ends[alias]?.reader.scope;
      const object = ends[alias]?.reader.object;
      if (!scope || !object) continue;
      const dataSource = dataSourceNamed(graph, ends[alias]?.entry) ?? '';
      yield { alias, object, dataSource, dialect: scope.catalog.dialect };
    }
    const cross = relationship.crossTable;
    const own = catalog && cross && catalogOf(catalog, cross);
    const object = own && cross.dataObject && findDataObject(own, cross.dataObject.value);
    if (object) yield { alias: 'cross', object, dataSource: dataSourceNamed(graph, cross) ?? '', dialect: own.dialect };
  }

  function crossColumns(cross: CrossTable): readonly ColumnUse[] {
    const dataSource = dataSourceNamed(graph, cross) ?? '';
    const dataObject = cross.dataObject?.value ?? '';
    const side = (end: 'source' | 'target', mappings: readonly CrossMapping[]) =>
      mappings.flatMap((mapping): readonly ColumnUse[] => [
        ...(ends[end] ? [ends[end].reader.named(mapping.column, 'comparison')] : []),
        { dataSource, dataObject, column: mapping.cross.value, role: 'comparison', range: mapping.cross.range },
      ]);
    return [...side('source', cross.sourceMappings), ...side('target', cross.targetMappings)];
  }
}

/** Finds a relationship by its effective name, else with `→` typed as `->`, in a time that does not depend on their number. */
function relationshipFinder({
  relationships,
}: Pick<EntityGraph, 'relationships'>): (name: string) => Relationship | undefined {
  const [exact, typed] = [relationshipName, (each: Relationship) => arrows(relationshipName(each))].map(
    (nameOf) => new Map(relationships.toReversed().map((each) => [nameOf(each), each])),
  );
  return (name) => exact?.get(name) ?? typed?.get(arrows(name));
}

function arrows(name: string): string {
  return name.replaceAll('→', '->');
}
