import type { TrinoConfig } from './read-settings.ts';

/** Settings of a session; without a catalog, names need one. */
type PlacedConfig = Omit<TrinoConfig, 'catalog'> & { readonly catalog: string | undefined };

/** The headers that make the session of each request. Times are in UTC, whatever the zone of this machine is. */
export function sessionHeaders(
  config: PlacedConfig,
  statementTimeoutMs: number | undefined,
): Readonly<Record<string, string>> {
  const { user, catalog, schemas, roles } = config;
  const [schema] = schemas;
  const properties = sessionProperties(config, statementTimeoutMs);
  return {
    ...(user !== undefined && { 'X-Trino-User': encodeHeader(user) }),
    'X-Trino-Source': 'entity-graph',
    ...(catalog !== undefined && { 'X-Trino-Catalog': encodeHeader(catalog) }),
    ...(schema !== undefined && { 'X-Trino-Schema': encodeHeader(schema) }),
    'X-Trino-Time-Zone': 'UTC',
    // Without it, times have three digits of a second.
    'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
    ...joined('X-Trino-Session', properties, encodeURIComponent),
    ...joined('X-Trino-Role', roles, (role) => encodeURIComponent(roleText(role))),
  };
}

/** Session properties of the settings, and the time limit. */
export function sessionProperties(
  { sessionProperties: given }: Pick<TrinoConfig, 'sessionProperties'>,
  statementTimeoutMs: number | undefined,
): Readonly<Record<string, string>> {
  return {
    ...given,
    ...(statementTimeoutMs !== undefined && { query_max_run_time: `${statementTimeoutMs}ms` }),
  };
}

function roleText(role: string): string {
  return /^(all|none)$/i.test(role) ? role.toUpperCase() : `ROLE{${role}}`;
}

function joined(
  header: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string) => string,
): Readonly<Record<string, string>> {
  const list = Object.entries(values).map(([name, value]) => `${name}=${encode(value)}`);
  return list.length === 0 ? {} : { [header]: list.join(',') };
}

/** A header holds Latin-1 only; Trino reads names in UTF-8 bytes. */
function encodeHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
