/**
 * An XES log in tables: traces and events with their position in the file, from 1, and their line; `trace` of an event
 * is the position of its trace, NULL for an event outside of traces. Values have the name of their attribute (`outer/inner` for
 * nested ones), the XES type and the original text; lists are JSON. `log_head` has the parts of an `XesHead`: what they are, and JSON.
 */
export const xesTables = {
  log_value: { name: 'VARCHAR', type: 'VARCHAR', value: 'VARCHAR' },
  log_head: { kind: 'VARCHAR', value: 'VARCHAR' },
  trace: { position: 'BIGINT', line: 'BIGINT' },
  event: { position: 'BIGINT', trace: 'BIGINT', line: 'BIGINT' },
  trace_value: { owner: 'BIGINT', name: 'VARCHAR', type: 'VARCHAR', value: 'VARCHAR' },
  event_value: { owner: 'BIGINT', name: 'VARCHAR', type: 'VARCHAR', value: 'VARCHAR' },
} as const;

export type XesTable = keyof typeof xesTables;
