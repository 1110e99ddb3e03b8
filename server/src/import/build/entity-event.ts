/**
 * An entity and one of its events as one number, by entity and then by event: DuckDB sorts one number in half the time of
 * two, and rows of 24 bytes (the number, a time and a place) without a detour over pointers to them. More than 2^31
 * entities or 2^32 events are an error of DuckDB.
 */
export function entityEventSql(entityId: string, eventId: string): string {
  return `(${entityId} << 32) | CAST(${eventId} AS UINTEGER)`;
}

/** The entity of such a number. */
export function entityOfSql(entityEvent: string): string {
  return `(${entityEvent} >> 32)`;
}

/** The event of such a number. */
export function eventOfSql(entityEvent: string): string {
  return `(${entityEvent} & 4294967295)`;
}
