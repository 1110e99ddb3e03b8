import type { CompiledQuery } from './compiled-query.ts';

/** The zones of result columns, if their entry has a `timeZone` of its own. */
export function zonesOf(columns: readonly string[], timeZone: string | undefined): CompiledQuery['zones'] {
  return timeZone === undefined ? undefined : Object.fromEntries(columns.map((name) => [name, timeZone]));
}

/** The zone of times without one in a result column. @param timeZone of the data source */
export function zoneOfResult({ zones }: Pick<CompiledQuery, 'zones'>, column: string, timeZone: string): string {
  return zones !== undefined && Object.hasOwn(zones, column) ? (zones[column] ?? timeZone) : timeZone;
}
