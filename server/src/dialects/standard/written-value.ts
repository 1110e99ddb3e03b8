import type { WrittenValue } from '../../catalog/written-value.ts';

/** Whether an ISO 8601 time has an offset. */
export function hasOffset(text: string): boolean {
  return /[T ].*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text);
}

/** The JSON text of a written value. A text that is not JSON becomes a JSON string. */
export function jsonOf({ kind, text }: WrittenValue): string {
  if (kind === 'json') return text;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
