/** A job for the measured process. */
export interface LeastOrder {
  readonly work: 'import' | 'least' | 'script';
  /** Holds `data/ticket.csv`, `ticket.entity.yaml` and `entity-sources.yaml`. */
  readonly folder: string;
}

/** The result of the measured process. */
export interface LeastMeasurement {
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Processor time of the statements of each part, in seconds. */
  readonly parts: Readonly<Partial<Record<Part, number>>>;
}

/** Parts of an import, by its statements, in the order of the printed table. */
export const parts = [
  'recognising columns and types',
  'reading the file, staging',
  'keys, entities',
  'order of events',
  'event',
  'properties',
  'relation, event_entity',
  'directly-follows',
  'process map',
  'counts, checks',
  'writing the files',
] as const;

export type Part = (typeof parts)[number];

/** By the text of a statement of the import, of the least ones or of the script; the first that matches. */
const partOf: readonly (readonly [RegExp, Part])[] = [
  [/^CREATE (?:TEMP )?TABLE "?(?:element_1|ticket)"? /, 'reading the file, staging'],
  [/^CREATE (?:TEMP )?TABLE (?:rows_1|(?:graph\.)?entity) /, 'keys, entities'],
  [/^CREATE TEMP (?:TABLE|VIEW) (?:sorted|ranked) /, 'order of events'],
  [/^CREATE \w+ \S*event /, 'event'],
  [/^(?:(?:CREATE \w+|INSERT INTO) \S*properties_1 |SET VARIABLE rows_1_in_order)/, 'properties'],
  [/^CREATE \w+ \S*(?:relation|event_entity) /, 'relation, event_entity'],
  [/^CREATE (?:TEMP )?TABLE (?:places|ordered|\S*directly_follows) /, 'directly-follows'],
  [/^(?:CREATE TABLE graph\.process_map|SET VARIABLE ordered_middle)/, 'process map'],
  [/^(?:CHECKPOINT|DETACH|DROP TABLE|CREATE TABLE kept_|INSERT INTO kept_rows|SET max_vacuum)/, 'writing the files'],
];

/** Statements before the file is read recognise its columns and types; other statements count and check. */
export function partsOf(statements: readonly { readonly sql: string; readonly processorSeconds: number }[]) {
  const sums: Partial<Record<Part, number>> = {};
  let other: Part = 'recognising columns and types';
  for (const { sql, processorSeconds } of statements) {
    const found = partOf.find(([pattern]) => pattern.test(sql))?.[1];
    if (found === 'reading the file, staging') other = 'counts, checks';
    const part = found ?? other;
    sums[part] = (sums[part] ?? 0) + processorSeconds;
  }
  return sums;
}
