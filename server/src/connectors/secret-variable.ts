/** The environment variable in which the command line looks for a secret. */
export function secretVariableName(secretName: string): string {
  return `ENTITY_GRAPH_SECRET_${secretName.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}
