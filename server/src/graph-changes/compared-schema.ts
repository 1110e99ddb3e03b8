import { quoteIdentifier } from '../query/quote.ts';
import { valueType } from '../graph-schema/value-type.ts';

/** A table with properties of both graphs, found by the name of its element or entry. */
export interface ComparedTable {
  readonly name: string;
  /** Its table in each graph; undefined where the graph does not have the element or entry. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The properties of both. */
  readonly properties: readonly ComparedProperty[];
}

export interface ComparedProperty {
  readonly name: string;
  /** The type in which the values of both are compared, in DuckDB's notation. */
  readonly comparedAs: string;
}

/** What the properties of one graph are. */
export interface PropertyTable {
  readonly name: string;
  readonly table: string;
  readonly properties: readonly { readonly name: string; readonly storedType: string }[];
}

/** Joins the tables of two graphs by name: their numbers differ where entries were added or moved. */
export function comparedTables(
  before: readonly PropertyTable[],
  after: readonly PropertyTable[],
): readonly ComparedTable[] {
  const [old, now] = [byName(before), byName(after)];
  return [...new Set([...old.keys(), ...now.keys()])].map((name) => {
    const [one, other] = [old.get(name), now.get(name)];
    const types = new Map(other?.properties.map((property) => [property.name, property.storedType]));
    const properties = (one?.properties ?? []).flatMap((property) => {
      const type = types.get(property.name);
      return type === undefined ? [] : [{ name: property.name, comparedAs: comparedType(property.storedType, type) }];
    });
    return { name, before: one?.table, after: other?.table, properties };
  });
}

/** A property in the type in which it is compared. */
export function comparedValue(table: string, { name, comparedAs }: ComparedProperty): string {
  return `CAST(${table}.${quoteIdentifier(name)} AS ${comparedAs})`;
}

function byName(tables: readonly PropertyTable[]): ReadonlyMap<string, PropertyTable> {
  return new Map(tables.map((table) => [table.name, table]));
}

/** 5 and 5.0 are equal, and so are a date and its midnight; other types are compared as texts. */
function comparedType(before: string, after: string): string {
  if (before === after) return before;
  const [one, other] = [valueType(before), valueType(after)];
  if (one === 'integer' && other === 'integer') return 'HUGEINT';
  const numbers = new Set(['integer', 'float']);
  if (numbers.has(one) && numbers.has(other)) return 'DOUBLE';
  if (one === 'time' && other === 'time' && ![before, after].some((type) => type.includes('TIME ZONE')))
    return 'TIMESTAMP';
  return 'VARCHAR';
}
