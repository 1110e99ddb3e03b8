import type { ColumnSense } from '../catalog/catalog.ts';
import type { UsualType } from '../dialects/dialect.ts';
import type { GivenValue } from './graph-tests.ts';
import { readIsoTime } from './iso-time.ts';

/** The type of a column of which only values are known. @param isTime whether the graph uses it as a time. */
export function inferredType(values: readonly GivenValue[], isTime: boolean): UsualType {
  const known = values.filter(({ kind }) => kind !== 'null');
  const all = (holds: (value: GivenValue) => boolean): boolean => known.length > 0 && known.every(holds);
  if (known.length === 0) return isTime ? 'timestamp' : 'text';
  if (all(({ kind }) => kind === 'boolean')) return 'boolean';
  if (all(({ kind }) => kind === 'json')) return 'json';
  if (all(({ kind, text }) => kind === 'number' && isWhole(text))) return 'integer';
  if (all(({ kind }) => kind === 'number')) return 'number';
  const times = known.map(({ kind, text }) => (kind === 'text' ? readIsoTime(text) : undefined));
  if (times.some((time) => !time)) return 'text';
  if (times.every((time) => time?.clock === undefined)) return 'date';
  return times.every((time) => time?.offset !== undefined) ? 'instant' : 'timestamp';
}

/** What a value would have to be, such as `a whole number`, if it certainly cannot be cast to the type of its column; else undefined. */
export function castFailure(value: GivenValue, sense: ColumnSense): string | undefined {
  const { kind, text } = value;
  if (kind === 'null') return undefined;
  switch (sense) {
    case 'integer':
      return isWhole(text) ? undefined : 'a whole number';
    case 'number':
      return kind !== 'json' && text.trim() !== '' && Number.isFinite(Number(text)) ? undefined : 'a number';
    case 'boolean':
      return kind === 'boolean' || /^(?:true|false)$/i.test(text) ? undefined : 'true or false';
    case 'timestamp':
      return readIsoTime(text) ? undefined : 'an ISO 8601 time such as 2024-01-31T08:00:00Z';
    case 'date':
      return readIsoTime(text) && /^\S{10}$/.test(text) ? undefined : 'a date such as 2024-01-31';
    case 'time':
      return /^\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?/.test(text) ? undefined : 'a time of day such as 08:00:00';
    default:
      return undefined;
  }
}

function isWhole(text: string): boolean {
  return /^[+-]?\d+$/.test(text);
}
