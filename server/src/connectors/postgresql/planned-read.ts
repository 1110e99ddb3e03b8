/** What a query reads, as the plan of `EXPLAIN (VERBOSE, FORMAT JSON)` tells. */
export interface PlannedRead {
  /** Without repetition, in the order of the plan. */
  readonly tables: readonly PlannedTable[];
  /** Names of the functions that are called anywhere, lower case. */
  readonly functions: readonly string[];
  /** All expressions of the plan: views say here what they do. */
  readonly texts: readonly string[];
}

export interface PlannedTable {
  readonly schema: string;
  readonly name: string;
  /** The query reads all of it, and does not pick rows by an index. */
  readonly isReadWhole: boolean;
}

/** Steps of which everything that they read is said in the plan. Samples, foreign tables and steps of extensions are not among them. */
const knownNodes = new Set([
  ...['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Heap Scan', 'Bitmap Index Scan', 'BitmapAnd', 'BitmapOr'],
  ...['Tid Scan', 'Tid Range Scan', 'Subquery Scan', 'CTE Scan', 'WorkTable Scan', 'Values Scan', 'Function Scan'],
  ...['Nested Loop', 'Merge Join', 'Hash Join', 'Hash', 'Sort', 'Incremental Sort', 'Aggregate', 'Group', 'Unique'],
  ...['Limit', 'Append', 'Merge Append', 'Materialize', 'Memoize', 'Gather', 'Gather Merge', 'Result', 'WindowAgg'],
  ...['SetOp', 'Recursive Union', 'ProjectSet'],
]);

/** What SQL calls by a keyword and gives something else at another time or to another user. */
const unsteadyWords =
  /\b(CURRENT_(?:DATE|TIME|TIMESTAMP|USER|ROLE|SCHEMA|CATALOG)|LOCALTIME|LOCALTIMESTAMP|SESSION_USER|SYSTEM_USER|USER)\b/;

/** Words with which a constant means a moment that is not yet known. */
const unsteadyConstants = /'(now|today|tomorrow|yesterday)'/i;

/** Reads a plan; undefined when it says too little to know what is read, or calls what changes by itself. */
export function readPlan(json: string): PlannedRead | undefined {
  const tables = new Map<string, PlannedTable>();
  const texts: string[] = [];
  let isKnown = true;

  const read = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(read);
    else if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) readNode(value as Readonly<Record<string, unknown>>);
  };
  const readNode = (node: Readonly<Record<string, unknown>>): void => {
    const { 'Node Type': type, 'Relation Name': name, Schema: schema, ...rest } = node;
    if (type !== undefined && !knownNodes.has(String(type))) isKnown = false;
    if (typeof name === 'string' && typeof schema === 'string') {
      const key = JSON.stringify([schema, name]);
      const isReadWhole = type === 'Seq Scan' || tables.get(key)?.isReadWhole === true;
      tables.set(key, { schema, name, isReadWhole });
    } else if (name !== undefined) isKnown = false;
    for (const value of Object.values(rest)) read(value);
  };

  try {
    read(JSON.parse(json));
  } catch {
    return undefined;
  }
  if (!isKnown || texts.some((text) => unsteadyWords.test(text) || unsteadyConstants.test(text))) return undefined;
  const calls = texts.flatMap((text) => [...text.matchAll(/("(?:[^"]|"")+"|[a-z_][\w$]*)\(/g)]);
  const functions = new Set(calls.map(([, name = '']) => name.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')));
  return { tables: [...tables.values()], functions: [...functions], texts };
}
