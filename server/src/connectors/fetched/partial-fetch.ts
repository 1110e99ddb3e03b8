import type { ObjectRead } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { maxPreviewBytes } from '../../../../protocol/preview-limits.ts';
import { createFetchedTable, type FetchedTable } from './fetched-table.ts';
import { viewSql } from './query-objects.ts';
import type { Cells, RecordSource } from './record-source.ts';
import type { FetchTarget } from './load-segment.ts';

interface PartialWork {
  readonly source: RecordSource;
  readonly target: FetchTarget;
  readonly signal: AbortSignal | undefined;
  /** Number of wanted result rows, which determines the first page size. */
  readonly wanted: number;
  /** Makes table names unique per fetch. */
  readonly prefix?: string;
  /** See `since` of `ReadOptions`. */
  readonly since?: string | undefined;
  readonly onWarning?: (warning: string) => void;
  /** Keeps values as received texts, regardless of column types. */
  readonly asText?: boolean;
}

/** Fetches of each data object only what some rows of a query need. */
export interface PartialFetch {
  /**
   * Fetches up to this many records of the query's leading data object, and related records of linked ones; fewer at
   * the size limit of previews. Resolves to whether everything was fetched.
   */
  more(wanted: number): Promise<boolean>;
  /** Stops fetching and deletes the fetched records. */
  close(): Promise<void>;
}

/** Tables under the names of the data objects; those neither leading nor linked are fetched completely at once. */
export async function openPartialFetch(work: PartialWork, reads: readonly ObjectRead[]): Promise<PartialFetch> {
  const { source, target, signal, since, prefix = '', onWarning = () => undefined, asText = false } = work;
  const tables = new Map<string, FetchedTable>();
  for (const [index, read] of reads.entries()) {
    const cached = asText ? { ...read, columns: read.columns.map((column) => ({ ...column, type: 'VARCHAR' })) } : read;
    const table = await createFetchedTable(target, `${prefix}fetched ${index + 1}`, cached);
    await target.run(viewSql(read.dataObject, table.name));
    tables.set(read.dataObject, table);
  }
  const tableOf = (dataObject: string): FetchedTable => tables.get(dataObject) as FetchedTable;
  const sliced = since === undefined ? {} : { since };
  const options = { purpose: 'preview', onWarning, signal, ...sliced } as const;

  const leading = reads.find(({ leads }) => leads);
  const linked = inOrder(reads, leading);
  const followers = linked.map((read) => follower(work, read, tableOf(read.dataObject), tableOf(read.link?.of ?? '')));
  for (const read of reads) {
    if (read === leading || linked.includes(read)) continue;
    await addAll(source.records(read, options), tableOf(read.dataObject), signal);
  }

  const iterator = leading && source.records(leading, { ...options, wanted: work.wanted })[Symbol.asyncIterator]();
  let fetched = 0;
  return {
    async more(wanted) {
      let isEnd = !leading;
      let length = 0;
      while (leading && iterator && !isEnd && fetched < wanted && length <= maxPreviewBytes) {
        const next = await iterator.next();
        isEnd = next.done === true;
        if (next.done) break;
        await tableOf(leading.dataObject).add(next.value, signal);
        fetched += next.value.length;
        length += lengthOf(next.value);
      }
      if (leading) await tableOf(leading.dataObject).flush(signal);
      for (const follow of followers) await follow();
      return isEnd;
    },
    async close() {
      await iterator?.return?.();
      for (const table of tables.values()) await table.discard().catch(() => undefined);
    },
  };
}

function lengthOf(batch: readonly Cells[]): number {
  let length = 0;
  for (const cells of batch) for (const cell of cells) length += cell?.length ?? 0;
  return length;
}

/** Linked reads, each after the one it depends on; a self-link is followed once. */
function inOrder(reads: readonly ObjectRead[], leading: ObjectRead | undefined): readonly ObjectRead[] {
  if (!leading) return [];
  const ordered: ObjectRead[] = leading.link?.of === leading.dataObject ? [leading] : [];
  const known = new Set([leading.dataObject]);
  for (let found = true; found;) {
    const next = reads.find(({ dataObject, link }) => link && !known.has(dataObject) && known.has(link.of));
    found = next !== undefined;
    if (next) {
      known.add(next.dataObject);
      ordered.push(next);
    }
  }
  return ordered;
}

/** Keys per request, limited by the URL length. */
const keysAtOnce = 50;

/** Fetches the records related to those fetched so far. */
function follower(
  { source, target, signal, since }: PartialWork,
  read: ObjectRead,
  into: FetchedTable,
  from: FetchedTable,
): () => Promise<void> {
  const { link, columns } = read;
  const column = columns.find(({ name }) => name === link?.column);
  const asked = new Set<string>();
  let isWhole = false;
  const sliced = since === undefined ? {} : { since };
  const options = { purpose: 'preview', onWarning: () => undefined, signal, ...sliced } as const;
  return async () => {
    if (isWhole || !link) return;
    const by = quoteIdentifier(link.by);
    const rows = await target.query(
      `SELECT DISTINCT CAST(${by} AS VARCHAR) AS key FROM temp.${quoteIdentifier(from.name)} WHERE ${by} IS NOT NULL`,
    );
    const fresh = rows.map(({ key }) => String(key)).filter((key) => !asked.has(key));
    for (const key of fresh) asked.add(key);
    if (!column || !source.selectsKeys?.(column, fresh)) {
      // Records cannot be selected by these keys: the whole data object is read, unless it is being read anyway.
      isWhole = true;
      if (into !== from) await addAll(source.records(read, options), into, signal);
      return;
    }
    for (let at = 0; at < fresh.length; at += keysAtOnce) {
      const values = fresh.slice(at, at + keysAtOnce);
      await addAll(source.records({ ...read, keys: { column, values } }, options), into, signal);
    }
  };
}

async function addAll(
  batches: AsyncIterable<readonly Cells[]>,
  table: FetchedTable,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const batch of batches) await table.add(batch, signal);
  await table.flush(signal);
}
