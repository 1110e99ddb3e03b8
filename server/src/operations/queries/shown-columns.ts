import type { Preview } from '../../connectors/connector.ts';
import type { CompiledQuery, ElementQuery, MasterDataQuery } from '../../query/compiled-query.ts';

/** The result columns of a query without its trailing helper columns. */
export function shownColumns({ columns, helpers = [] }: CompiledQuery): readonly string[] {
  return columns.slice(0, columns.length - helpers.length);
}

/** A preview without its trailing helper columns. */
export function withoutHelpers(preview: Preview, { helpers = [] }: CompiledQuery): Preview {
  if (helpers.length === 0) return preview;
  const shown = preview.columns.length - helpers.length;
  return { ...preview, columns: preview.columns.slice(0, shown), rows: preview.rows.map((row) => row.slice(0, shown)) };
}

/** The query with visible columns in its roles: values instead of key texts. */
export function withShownRoles(query: ElementQuery | MasterDataQuery): ElementQuery | MasterDataQuery {
  const { helpers = [] } = query;
  const shown = new Map(helpers.map(({ name, textOf = name }) => [name, textOf]));
  const nameOf = (name: string): string => shown.get(name) ?? name;
  if (query.kind === 'entities') {
    return { ...query, roles: { ...query.roles, key: query.roles.key.map(nameOf) } };
  }
  const { roles } = query;
  const { activityColumn, lifecycle } = roles;
  return {
    ...query,
    roles: {
      ...roles,
      key: roles.key.map(nameOf),
      ...(activityColumn !== undefined && { activityColumn: nameOf(activityColumn) }),
      ...(lifecycle !== undefined && { lifecycle: nameOf(lifecycle) }),
    },
  };
}
