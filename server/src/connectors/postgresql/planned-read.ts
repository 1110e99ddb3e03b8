import { sqlTokens } from '../../query/sql-tokens.ts';

/** What a query reads, according to `EXPLAIN (VERBOSE, FORMAT JSON)`. */
export interface PlannedRead {
  /** Distinct, in plan order. */
  readonly tables: readonly PlannedTable[];
  /** Lower-case names of all called functions. */
  readonly functions: readonly string[];
  /** Whether each row is made of one row of one table. */
  readonly isOfSingleRows: boolean;
  /** All expressions of the plan, and its node types. */
  readonly texts: readonly string[];
}

export interface PlannedTable {
  readonly schema: string;
  readonly name: string;
  /** Whether the table is read completely: neither by an index, nor limited. */
  readonly isReadWhole: boolean;
}

type PlanNode = Readonly<Record<string, unknown>>;

/** Plan nodes whose reads are completely described. Samples, foreign tables and extension nodes are not among them. */
const knownNodes = new Set([
  ...['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Heap Scan', 'Bitmap Index Scan', 'BitmapAnd', 'BitmapOr'],
  ...['Tid Scan', 'Tid Range Scan', 'Subquery Scan', 'CTE Scan', 'WorkTable Scan', 'Values Scan', 'Function Scan'],
  ...['Nested Loop', 'Merge Join', 'Hash Join', 'Hash', 'Sort', 'Incremental Sort', 'Aggregate', 'Group', 'Unique'],
  ...['Limit', 'Append', 'Merge Append', 'Materialize', 'Memoize', 'Gather', 'Gather Merge', 'Result', 'WindowAgg'],
  ...['SetOp', 'Recursive Union', 'ProjectSet'],
]);

/** Plan nodes that give a row for each row that they read, or none. */
const singleRowNodes = new Set([
  ...['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Heap Scan', 'Bitmap Index Scan', 'BitmapAnd', 'BitmapOr'],
  'Gather',
]);

/** Expressions that depend on the time, the user, or the physical location of rows. */
const unsteady: readonly RegExp[] = [
  /\b(CURRENT_(?:DATE|TIME|TIMESTAMP|USER|ROLE|SCHEMA|CATALOG)|LOCALTIME|LOCALTIMESTAMP|SESSION_USER|SYSTEM_USER|USER)\b/,
  /'[^']*\b(now|today|tomorrow|yesterday)\b[^']*'/i,
  // A text converted to a time may contain `now`; constants are already converted.
  /\)::(?:date|time)/,
  /::(?:reg[a-z]+|aclitem)/,
  /\b(?:ctid|xmin|xmax|cmin|cmax|tableoid)\b/,
];

/** Parses a plan; undefined when it does not describe all reads, or calls volatile functions. */
export function readPlan(json: string): PlannedRead | undefined {
  const tables = new Map<string, PlannedTable>();
  const texts: string[] = [];
  let isKnown = true;
  let isOfSingleRows = true;

  const read = (value: unknown, isWhole: boolean): void => {
    if (Array.isArray(value)) for (const each of value) read(each, isWhole);
    else if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) readNode(value as PlanNode, isWhole);
  };
  const readNode = (node: PlanNode, isWhole: boolean): void => {
    const { 'Relation Name': name, Schema: schema, Plans: plans, ...rest } = node;
    const type = node['Node Type'];
    if (type !== undefined && !knownNodes.has(String(type))) isKnown = false;
    const place = node['Parent Relationship'];
    if ((type !== undefined && !singleRowNodes.has(String(type))) || place === 'SubPlan' || place === 'InitPlan') {
      isOfSingleRows = false;
    }
    if (typeof name === 'string' && typeof schema === 'string') {
      const key = JSON.stringify([schema, name]);
      const isReadWhole = (isWhole && type === 'Seq Scan') || tables.get(key)?.isReadWhole === true;
      tables.set(key, { schema, name, isReadWhole });
    } else if (name !== undefined) isKnown = false;
    for (const value of Object.values(rest)) read(value, isWhole);
    for (const child of (plans ?? []) as readonly PlanNode[]) readNode(child, isWhole && !mayEndEarly(node, child));
  };

  try {
    read(JSON.parse(json), true);
  } catch {
    return undefined;
  }
  if (!isKnown || texts.some((text) => unsteady.some((pattern) => pattern.test(text)))) return undefined;
  return { tables: [...tables.values()], functions: [...new Set(texts.flatMap(calledNames))], isOfSingleRows, texts };
}

function calledNames(text: string): readonly string[] {
  const tokens = sqlTokens(text);
  return tokens.flatMap(({ kind, text: name, end }, index) => {
    const next = tokens[index + 1];
    const isCalled = next?.text === '(' && next.start === end;
    return isCalled && (kind === 'word' || kind === 'quoted') ? [name] : [];
  });
}

/** Whether a node may end before all of its rows are read. */
function mayEndEarly(node: PlanNode, child: PlanNode): boolean {
  const place = child['Parent Relationship'];
  const type = node['Node Type'];
  return (
    type === 'Limit' || place === 'SubPlan' || place === 'InitPlan' || (type === 'Nested Loop' && place === 'Inner')
  );
}
