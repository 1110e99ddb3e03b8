import type { CompiledQuery } from '../../query/compiled-query.ts';
import { zoneOfResult } from '../../query/result-zones.ts';
import { createRowCap } from '../../store/capped-rows.ts';
import type { CellValue, Preview, PreviewOptions } from '../connector.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import type { MysqlConfig } from './read-settings.ts';
import { exactStatement, limitedStatement } from './core-statement.ts';
import type { ExplainError } from './errors.ts';
import { type ResultColumn, queryColumn, resultColumns } from './result-columns.ts';
import { beginPreview } from './session-setup.ts';
import { type DriverValue, openSession } from './session.ts';
import { utcTextReader } from '../utc-text.ts';
import { isZeroDate } from './zero-date.ts';

/** Test Query: the core SELECT in its own read-only transaction, limited on the server. */
export async function preview(
  config: MysqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
  { limit, timeoutMs, signal }: PreviewOptions,
): Promise<Preview> {
  const session = await openSession(config, explain, {
    signal,
    statementTimeoutMs: timeoutMs ?? serverPreviewTimeoutMs(config),
  });
  try {
    await session.run(beginPreview, signal);
    const columns = resultColumns(await session.columnsOf(limitedStatement(query, undefined), signal));
    const readers = columns.map((column) => cellReader(column, zoneOfResult(query, column.name, config.timeZone)));
    const started = performance.now();
    const cap = createRowCap<CellValue>(limit);
    // One row more than the limit shows whether there are more.
    await session.eachRow(
      exactStatement(query, columns, limit + 1),
      {
        onRow(row) {
          const cells = readers.map((read, index) => read(row[index] ?? null));
          return cap.add(cells) || cap.result().sizeLimit === undefined;
        },
      },
      signal,
    );
    const durationMs = Math.round(performance.now() - started);
    return { columns: columns.map(queryColumn), ...cap.result(), durationMs };
  } finally {
    await session.close();
  }
}

/** Converts a value to the JSON value of a preview; times without zone are in `timeZone`, zero dates are NULL. */
function cellReader(column: ResultColumn, timeZone: string): (value: DriverValue) => CellValue {
  const read = readerOf(column, timeZone);
  return (value) => (value === null ? null : read(value));
}

function readerOf(
  { sense, type, zoned }: ResultColumn,
  timeZone: string,
): (value: Exclude<DriverValue, null>) => CellValue {
  switch (sense) {
    case 'integer':
      if (type.startsWith('bit')) return (value) => bitsOf(value);
      return type.startsWith('bigint') ? String : Number;
    case 'number':
      if (type === 'float') return (value) => shortestFloat(Number(value));
      return type === 'double' ? Number : String;
    case 'binary':
      return (value) => (Buffer.isBuffer(value) ? value.toString('hex') : Buffer.from(String(value)).toString('hex'));
    case 'date':
      return (value) => (isNoDate(value) ? null : String(value));
    case 'timestamp': {
      const read = utcTextReader(zoned === true ? 'UTC' : timeZone);
      return (value) => (isNoDate(value) ? null : read(String(value)));
    }
    default:
      return textOf;
  }
}

function isNoDate(value: Exclude<DriverValue, null>): boolean {
  return isZeroDate(Buffer.from(String(value)));
}

function textOf(value: Exclude<DriverValue, null>): string {
  return Buffer.isBuffer(value) ? value.toString('utf8') : String(value);
}

/** Up to 53 bits as a number, else as a text. */
function bitsOf(value: Exclude<DriverValue, null>): CellValue {
  const text = Buffer.isBuffer(value) ? BigInt(`0x${value.toString('hex') || '0'}`).toString() : String(value);
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** The shortest number that is the same float of four bytes. */
function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
