/** Kind of a server with PostgreSQL's protocol. */
interface ServerKind {
  readonly name: string;
  /** Major version of PostgreSQL, such as 18; 0 for other servers. */
  readonly version: number;
  /** Warning that building graphs inside it is untested; absent for tested servers. */
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
      warning: `engine: source was tried on PostgreSQL only; this server is ${other}.`,
    };
  }
  return {
    name: extensions.includes('citus') ? 'Citus' : 'PostgreSQL',
    version: Number(/^PostgreSQL (\d+)/.exec(version)?.[1] ?? 0),
  };
}
