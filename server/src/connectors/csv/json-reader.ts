import { embeddedLiteral, quoteIdentifier } from '../../query/quote.ts';
import { foldedName } from './json-types.ts';
import { type NestedType, parseType } from './nested-types.ts';
import { typeAsRead } from './nested-values.ts';
import type { JsonPlan, PlanColumn } from './plan-types.ts';
import { call } from './reader-call.ts';

/** The reader of a JSON file, in which numbers, times and so on are texts. */
export function jsonReaderSql(plan: JsonPlan, path: string): string {
  const isReadable = plan.columns.every(({ field }) => field === undefined);
  if (plan.isOfRecords && !isReadable) return fromRecords(plan, path);
  const columns = plan.columns.map(
    (column) => `${embeddedLiteral(column.name)}: ${embeddedLiteral(typeAsRead(column, plan))}`,
  );
  return call('read_json', path, [
    jsonFormat(plan, path),
    `records = ${plan.isOfRecords}`,
    `columns = {${columns.join(', ')}}`,
  ]);
}

/** The options of DuckDB's readers of JSON. Copies of compressed files are not compressed. */
export function jsonFormat({ lines, gzip }: Pick<JsonPlan, 'lines' | 'gzip'>, path: string): string {
  const compression = gzip === true && /\.gz$/i.test(path) ? ", compression = 'gzip'" : '';
  return `format = '${lines ? 'newline_delimited' : 'auto'}'${compression}`;
}

/** Reads each record as it is written: a struct has no names that differ by case alone, and no empty name. */
function fromRecords(plan: JsonPlan, path: string): string {
  const groups = withDistinctNames(plan.columns);
  const shapes = groups.map((columns) =>
    Object.fromEntries(
      columns.map((column) => [fieldOf(column), shapeOf(parseType(typeAsRead(column, plan)))] as const),
    ),
  );
  const values = plan.columns.map((column) => {
    const group = groups.findIndex((columns) => columns.includes(column));
    const field = fieldOf(column);
    // DuckDB takes no empty name here.
    const value =
      field === ''
        ? `struct_extract_at(r${group}, ${Object.keys(shapes[group] ?? {}).indexOf(field) + 1})`
        : `struct_extract(r${group}, ${embeddedLiteral(field)})`;
    return `${value} AS ${quoteIdentifier(column.name)}`;
  });
  const parsed = shapes.map(
    (shape, index) => `from_json(json, ${embeddedLiteral(JSON.stringify(shape))}) AS r${index}`,
  );
  const records = call('read_json_objects', path, [jsonFormat(plan, path)]);
  return `(SELECT ${values.join(', ')} FROM (SELECT ${parsed.join(', ')} FROM ${records}))`;
}

function withDistinctNames(columns: readonly PlanColumn[]): readonly (readonly PlanColumn[])[] {
  const groups: { readonly names: Set<string>; readonly columns: PlanColumn[] }[] = [];
  for (const column of columns) {
    const name = foldedName(fieldOf(column));
    let group = groups.find(({ names }) => !names.has(name));
    if (!group) groups.push((group = { names: new Set(), columns: [] }));
    group.names.add(name);
    group.columns.push(column);
  }
  return groups.map((group) => group.columns);
}

function fieldOf({ name, field = name }: PlanColumn): string {
  return field;
}

/** A type in the notation of `from_json`. */
function shapeOf(type: NestedType): unknown {
  switch (type.kind) {
    case 'leaf':
      return type.type;
    case 'list':
      return [shapeOf(type.items)];
    case 'struct':
      return Object.fromEntries(type.fields.map((field) => [field.name, shapeOf(field.type)]));
  }
}
