import { objectName, type PostgresqlConfig } from './read-settings.ts';
import type { Session } from './session.ts';

/** A relation of the database. */
interface Relation {
  readonly schema: string;
  readonly name: string;
  /** `relkind`. */
  readonly kind: string;
}

/** Readable kinds of relations other than ordinary tables, which cannot be updated row by row. */
const otherKinds: Readonly<Record<string, string>> = {
  p: 'partitioned table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
};

/** The entries of `watermarks` that have no effect. Needs all relations of the schemas, or at least the named ones. */
export function unusedWatermarks(config: PostgresqlConfig, relations: readonly Relation[]): readonly string[] {
  const kinds = new Map(relations.map(({ schema, name, kind }) => [objectName(config.schemas, schema, name), kind]));
  return [...config.watermarks.keys()].flatMap((table) => {
    const kind = kinds.get(table) ?? '';
    if (kind === 'r') return [];
    const named = `watermarks of ${config.name} names ${table}, which is`;
    const other = otherKinds[kind];
    return [
      other === undefined
        ? `${named} no table of its schemas: correct the name, or leave it out.`
        : `${named} a ${other}: it is read whole, as only the rows of ordinary tables can be replaced.`,
    ];
  });
}

/** Finds the unused watermarks by querying the server. */
export async function readUnusedWatermarks(
  session: Session,
  config: PostgresqlConfig,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (config.watermarks.size === 0) return [];
  return unusedWatermarks(
    config,
    await session.rows<Relation>(relationsSql, [config.schemas, [...config.watermarks.keys()]], signal),
  );
}

const relationsSql = `SELECT n.nspname AS schema, c.relname AS name, c.relkind::text AS kind
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = ANY ($1::text[]) AND (c.relname = ANY ($2::text[]) OR concat_ws('.', n.nspname, c.relname) = ANY ($2::text[]))`;
