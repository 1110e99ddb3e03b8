import { findDataObject } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { dataSourceNamed } from '../model/data-sources-used.ts';
import {
  type CrossMapping,
  type CrossTable,
  type EntityGraph,
  type Mapping,
  type Relationship,
  relationshipName,
} from '../model/entity-graph.ts';
import { endNamed } from '../model/relationship-ends.ts';
import type { Located } from '../model/source-range.ts';
import { findRelationship } from '../query/find-target.ts';
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
  for (const relationship of graph.relationships) find(relationship, []);
  return found;

  /** @param within the paths that lead here: one that leads back is a mistake, and ends there. */
  function find(relationship: Relationship, within: readonly Relationship[]): readonly Output[] {
    const known = found.get(relationship);
    if (known) return [known];
    if (within.includes(relationship)) return [];
    const output = relationship.path
      ? { ...named(relationship), columns: [], from: stepsOf(relationship, within) }
      : outputOf(relationship, graph, catalog, entries);
    found.set(relationship, output);
    return [output];
  }

  function stepsOf(relationship: Relationship, within: readonly Relationship[]): readonly Output[] {
    const steps = (relationship.path?.steps ?? []).flatMap(
      (step) => findRelationship(graph, step.relationship.value) ?? [],
    );
    return [...new Set(steps)].flatMap((step) => find(step, [...within, relationship]));
  }
}

function named(relationship: Relationship): Pick<Output, 'kind' | 'name' | 'range'> {
  const { range } = relationship.name ?? relationship.source ?? relationship;
  return { kind: 'relationship', name: relationshipName(relationship), range };
}

function outputOf(
  relationship: Relationship,
  graph: EntityGraph,
  catalog: GraphCatalog | undefined,
  entries: EntryOutputs,
): Output {
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
    const entry = name && endNamed(graph, name.value);
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
        .filter(({ range }) => isBehindAlias(mapping.expression.value, mapping.expression.sourceOffsets, range.start))
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

function isBehindAlias(sql: string, offsets: readonly number[], start: number): boolean {
  const at = offsets.indexOf(start);
  return sql.slice(0, at).trimEnd().endsWith('.');
}
