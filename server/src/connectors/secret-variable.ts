/** The environment variable of a secret on the command line. */
export function secretVariableName(secretName: string): string {
  return `ENTITY_GRAPH_SECRET_${secretName.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}
