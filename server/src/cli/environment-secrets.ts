import type { SecretReader } from '../connectors/create-connector.ts';

/** Reads `${secret:NAME}` from `ENTITY_GRAPH_SECRET_NAME`: the name as written, or in the upper case that shells prefer. */
export function readSecretFromEnvironment(environment: Readonly<Record<string, string | undefined>>): SecretReader {
  return async (name) => environment[`ENTITY_GRAPH_SECRET_${name}`] ?? environment[secretVariable(name)];
}

/** The environment variable that holds a secret: upper case, anything but letters and digits as `_`. */
export function secretVariable(name: string): string {
  return `ENTITY_GRAPH_SECRET_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}
