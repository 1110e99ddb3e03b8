/**
 * An entity and one of its events as one number, which sorts by entity and then by event. DuckDB sorts one number in
 * half the time of two, and sorts rows of 24 bytes (the number, a time and a place) directly, without pointers. With
 * more than 2^31 entities or 2^32 events, DuckDB reports an error.
 */
export function entityEventSql(entityId: string, eventId: string): string {
  return `(${entityId} << 32) | CAST(${eventId} AS UINTEGER)`;
}

/** The entity in a number of `entityEventSql`. */
export function entityOfSql(entityEvent: string): string {
  return `(${entityEvent} >> 32)`;
}

/** The event in a number of `entityEventSql`. */
export function eventOfSql(entityEvent: string): string {
  return `(${entityEvent} & 4294967295)`;
}
