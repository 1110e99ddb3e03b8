import { moneyTypes } from '../records/money.ts';

/** DuckDB type of a column by its `internal_type`; undefined for columns without stored values, and for secrets. */
export function columnType(internalType: string): string | undefined {
  if (unreadableTypes.has(internalType)) return undefined;
  if (moneyTypes.has(internalType)) return moneyType;
  return types[internalType] ?? 'VARCHAR';
}

/** The platform stores four decimal places; the currency has its own column. */
const moneyType = 'DECIMAL(20,4)';

/** The platform's times are UTC. Durations are stored as times since 1970 and read as seconds. */
const types: Readonly<Record<string, string>> = {
  integer: 'BIGINT',
  longint: 'BIGINT',
  order_index: 'BIGINT',
  auto_increment: 'BIGINT',
  decimal: 'DECIMAL(20,4)',
  percent_complete: 'DECIMAL(20,4)',
  float: 'DOUBLE',
  boolean: 'BOOLEAN',
  glide_date_time: 'TIMESTAMP WITH TIME ZONE',
  due_date: 'TIMESTAMP WITH TIME ZONE',
  calendar_date_time: 'TIMESTAMP WITH TIME ZONE',
  glide_utc_time: 'TIMESTAMP WITH TIME ZONE',
  glide_date: 'DATE',
  date: 'DATE',
  glide_time: 'TIME',
  time: 'TIME',
  glide_duration: 'BIGINT',
  timer: 'BIGINT',
};

const unreadableTypes = new Set([
  'collection',
  'journal',
  'journal_input',
  'journal_list',
  'password',
  'password2',
  'formula',
]);

/** Type of a column without a readable dictionary entry, inferred from values: text, unless all are times. */
export function sampledType(name: string, values: readonly string[]): string {
  const known = systemTypes[name];
  if (known !== undefined) return known;
  if (values.length === 0) return 'VARCHAR';
  // A duration looks like a time early in 1970.
  if (values.every((value) => /^(?:1969-12|1970-0[1-9])-\d\d \d\d:\d\d:\d\d$/.test(value))) return 'BIGINT';
  if (values.every((value) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value))) return 'TIMESTAMP WITH TIME ZONE';
  if (values.every((value) => /^\d{4}-\d\d-\d\d$/.test(value))) return 'DATE';
  return 'VARCHAR';
}

const systemTypes: Readonly<Record<string, string>> = {
  sys_id: 'VARCHAR',
  sys_mod_count: 'BIGINT',
  sys_created_on: 'TIMESTAMP WITH TIME ZONE',
  sys_updated_on: 'TIMESTAMP WITH TIME ZONE',
  opened_at: 'TIMESTAMP WITH TIME ZONE',
  closed_at: 'TIMESTAMP WITH TIME ZONE',
  resolved_at: 'TIMESTAMP WITH TIME ZONE',
  active: 'BOOLEAN',
};
