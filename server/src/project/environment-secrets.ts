import type { SecretReader } from '../connectors/create-connector.ts';
import { secretVariableName } from '../connectors/resolve-settings.ts';

/** Reads `${secret:NAME}` from `ENTITY_GRAPH_SECRET_NAME`: the name as written, or in the upper case that shells prefer. */
export function readSecretFromEnvironment(environment: Readonly<Record<string, string | undefined>>): SecretReader {
  return async (name) => environment[`ENTITY_GRAPH_SECRET_${name}`] ?? environment[secretVariableName(name)];
}

/** The names of the secrets that the environment holds, in the spelling that sources files prefer. */
export function secretsInEnvironment(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const names = Object.keys(environment).flatMap((variable) => /^ENTITY_GRAPH_SECRET_(.+)$/.exec(variable)?.[1] ?? []);
  return names.map((name) => (name === name.toUpperCase() ? name.toLowerCase() : name)).sort();
}
