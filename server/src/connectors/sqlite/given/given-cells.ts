import type { Column } from '../../../catalog/catalog.ts';
import type { WrittenValue } from '../../../catalog/written-value.ts';
import { jsonOf } from '../../../dialects/standard/written-value.ts';
import type { SqliteValue } from '../../../store/sqlite-file.ts';
import { givenTimeReader } from '../../given/given-time.ts';
import type { TimeStorage } from '../read-settings.ts';

/**
 * The written values of a column as SQLite stores them. Times without offset are in the time zone of the source.
 */
export function givenCells(
  values: readonly WrittenValue[],
  { sense }: Pick<Column, 'sense'>,
  storage: TimeStorage,
  timeZone: string,
): readonly SqliteValue[] {
  const toUtc = givenTimeReader(timeZone).utc;
  return values.map((value) => {
    const { kind, text } = value;
    if (kind === 'null') return null;
    switch (storage) {
      case 'none':
        return plainCell(value, sense);
      case 'date':
      case 'text':
        return text;
      default:
        return numbers[storage](Date.parse(toUtc(text)));
    }
  });
}

function plainCell(value: WrittenValue, sense: Column['sense']): SqliteValue {
  const { kind, text } = value;
  if (sense === 'json') return jsonOf(value);
  if (sense === 'boolean' || kind === 'boolean') return /^(?:true|1)$/i.test(text) ? 1 : 0;
  // In a text column, digits stay as written.
  const isNumber = sense === 'integer' || sense === 'number' || (sense === 'other' && kind === 'number');
  if (!isNumber || text.trim() === '' || !Number.isFinite(Number(text))) return text;
  return /^[+-]?\d+$/.test(text) ? BigInt(text) : Number(text);
}

/** Numbers for times in milliseconds since 1970. */
const numbers = {
  'unix-seconds': (milliseconds: number): number => milliseconds / 1000,
  'unix-milliseconds': (milliseconds: number): number => milliseconds,
  'julian-days': (milliseconds: number): number => milliseconds / 86_400_000 + 2_440_587.5,
} as const;
