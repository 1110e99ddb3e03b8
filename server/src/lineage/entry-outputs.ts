import { type DataObject, findDataObject } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { elementFields } from '../../../protocol/fields/element.ts';
import type { Field } from '../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import { dataSourceNamed } from '../model/data-sources-used.ts';
import {
  type EntityGraph,
  type EntitySource,
  type PropertySelection,
  type RowCorrelation,
  correlationQualifier,
  masterDataName,
} from '../model/entity-graph.ts';
import { columnsOfEntry } from '../model/entry-columns.ts';
import type { Located, LocatedSql } from '../model/source-range.ts';
import { type ElementScope, elementScope, resolveColumn } from '../query/element-scope.ts';
import { columnsInSql, objectsInScope } from './columns-in-sql.ts';
import type { ColumnRole, ColumnUse, Output, OutputKind } from './output.ts';

/** The outputs of each element and entry of `entities`: its rows first, then its fields in writing order. */
export type EntryOutputs = ReadonlyMap<EntitySource, readonly Output[]>;

export function entryOutputs(graph: EntityGraph, catalog: GraphCatalog | undefined): EntryOutputs {
  return new Map(
    [...graph.elements, ...graph.entities].map((entry) => [
      entry,
      outputsOf(entry, columnReader(graph, entry, catalog)),
    ]),
  );
}

/** Finds the columns that the text of an entry names. */
interface ColumnReader {
  named(column: Located<string>, role: ColumnRole): ColumnUse;
  inSql(sql: LocatedSql | undefined, role: ColumnRole): readonly ColumnUse[];
  /** Its data object, if its columns are known. */
  readonly object?: DataObject | undefined;
  readonly scope?: ElementScope | undefined;
}

/** A name that the catalog does not have counts as a column of the entry's own data object. */
export function columnReader(graph: EntityGraph, entry: EntitySource, catalog: GraphCatalog | undefined): ColumnReader {
  const own = catalog && catalogOf(catalog, entry);
  const scope = own && entry.dataObject && elementScope(entry, entry.dataObject, own);
  const dataSource = dataSourceNamed(graph, entry) ?? '';
  const dataObject = entry.dataObject?.value ?? '';
  return {
    scope,
    object: own && entry.dataObject && findDataObject(own, entry.dataObject.value),
    named({ value, range }, role) {
      const resolved = scope && resolveColumn(value, scope);
      const joined = resolved?.kind === 'joined' ? scope?.joinedObject(resolved.alias)?.name : undefined;
      return { dataSource, dataObject: joined ?? dataObject, column: resolved?.name ?? value, role, range };
    },
    inSql(sql, role) {
      if (!sql || !scope || !own) return [];
      return columnsInSql(sql, objectsInScope(scope), own.dialect).map(({ object, column, range }) => ({
        dataSource,
        dataObject: object.name,
        column,
        role,
        range,
      }));
    },
  };
}

function outputsOf(entry: EntitySource, reader: ColumnReader): readonly Output[] {
  const of = nameOfEntry(entry);
  const rows: Output = {
    kind: 'rows',
    name: 'rows',
    of,
    range: (nameRange(entry) ?? entry).range,
    columns: [...reader.inSql(entry.joins, 'join'), ...reader.inSql(entry.where, 'filter')],
    from: [],
  };
  const fields = 'isMasterData' in entry ? fieldsOfMasterData : fieldsOfElements;
  const names = new Map(columnsOfEntry(entry).map((each) => [each.field, each.names]));
  const found = fields.flatMap(([key, field]) =>
    partsOf(entry, key, field, names.get(field) ?? [], reader).map((part): Output => ({ ...part, of, from: [rows] })),
  );
  return [rows, ...found];
}

const fieldsOfElements = Object.entries<Field>(elementFields);
const fieldsOfMasterData = Object.entries<Field>(masterDataFields);

type Part = Omit<Output, 'of' | 'from'>;

/** Parts that other fields have than columns alone; `columnsOfEntry` has the rest. */
function partsOf(
  entry: EntitySource,
  key: string,
  field: Field,
  names: readonly Located<string>[],
  reader: ColumnReader,
): readonly Part[] {
  const values = entry as unknown as Readonly<Record<string, unknown>>;
  if (field.type === 'properties') return propertyParts(entry.properties, reader);
  if (field.type === 'rowCorrelations')
    return ((values[key] ?? []) as readonly RowCorrelation[]).map((correlation) =>
      correlationPart(correlation, reader),
    );
  const kind = kindOfType[field.type];
  if (kind === undefined) return [];
  const sql = field.expression === undefined ? undefined : (values[field.expression] as LocatedSql | undefined);
  const columns = [...names.map((name) => reader.named(name, 'value')), ...reader.inSql(sql, 'computed')];
  const range = names[0]?.range ?? sql?.range;
  return range ? [{ kind, name: key, range, columns }] : keyByDefault(entry, key, kind, reader);
}

const kindOfType: { readonly [Type in Field['type']]?: OutputKind } = {
  key: 'key',
  time: 'time',
  column: 'column',
  lifecycle: 'column',
  expectations: 'expectation',
};

/** Without `key`, the primary key of the data object (docs/semantics.md#41-every-entity-has-a-key). */
function keyByDefault(entry: EntitySource, key: string, kind: OutputKind, reader: ColumnReader): readonly Part[] {
  const { dataObject } = entry;
  const columns = reader.object?.primaryKey ?? [];
  if (kind !== 'key' || !dataObject || columns.length === 0) return [];
  const { range } = dataObject;
  return [
    { kind, name: key, range, columns: columns.map((value) => implied(reader.named({ value, range }, 'value'))) },
  ];
}

function propertyParts(selection: PropertySelection, reader: ColumnReader): readonly Part[] {
  const property = (name: string, column: ColumnUse): Part => ({
    kind: 'property',
    name,
    range: column.range,
    columns: [column],
  });
  if (selection.kind === 'list') {
    return selection.columns.map((column) =>
      property(column.name?.value ?? column.value, reader.named(column, 'value')),
    );
  }
  const { range } = selection;
  return (reader.object?.columns ?? []).map(({ name }) =>
    property(name, implied(reader.named({ value: name, range }, 'value'))),
  );
}

function implied(use: ColumnUse): ColumnUse {
  return { ...use, isImplied: true };
}

function correlationPart(correlation: RowCorrelation, reader: ColumnReader): Part {
  return {
    kind: 'correlation',
    name: correlationQualifier(correlation) ?? '',
    range: (correlation.entityType ?? correlation).range,
    columns: correlation.key.map((column) => reader.named(column, 'value')),
  };
}

/** The name by which relationships, rules and measures know an entry. */
function nameOfEntry(entry: EntitySource): string | undefined {
  return 'isMasterData' in entry ? masterDataName(entry) : entry.activityName?.value;
}

function nameRange(entry: EntitySource): Located<string> | undefined {
  return ('isMasterData' in entry ? entry.name : entry.activityName) ?? entry.dataObject;
}
