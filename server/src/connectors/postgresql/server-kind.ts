/** What a server that speaks the protocol of PostgreSQL is. */
export interface ServerKind {
  readonly name: string;
  /** Of PostgreSQL itself, such as 18; 0 for others. */
  readonly version: number;
  /** It has several nodes, over which it can spread a table. */
  readonly nodes?: 'citus';
  /** Why building graphs inside it may not go well; absent where it was tried. */
  readonly warning?: string;
}

const others: readonly (readonly [RegExp, string])[] = [
  [/CockroachDB/, 'CockroachDB'],
  [/-YB-|YugabyteDB/, 'YugabyteDB'],
  [/Greenplum|Cloudberry/, 'Greenplum'],
  [/Redshift/, 'Amazon Redshift'],
];

/**
 * @param version the text of `version()`.
 * @param extensions names of `pg_extension`.
 */
export function serverKind(version: string, extensions: readonly string[]): ServerKind {
  const other = others.find(([pattern]) => pattern.test(version))?.[1];
  if (other !== undefined) {
    return {
      name: other,
      version: 0,
      warning: `engine: source was tried on PostgreSQL and Citus only; this server is ${other}.`,
    };
  }
  const major = Number(/^PostgreSQL (\d+)/.exec(version)?.[1] ?? 0);
  if (!extensions.includes('citus')) return { name: 'PostgreSQL', version: major };
  return { name: 'Citus', version: major, nodes: 'citus' };
}
