/** Where a server listens, and who may do everything there. */
export interface ServerAccess {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/**
 * The server that all test processes of a run share (`serve-databases.ts`). Undefined for a file that runs alone.
 */
export async function serverOfRun<Access extends ServerAccess>(
  kind: 'postgresql' | 'mariadb',
): Promise<Access | undefined> {
  const address = process.env['ENTITY_GRAPH_TEST_DATABASES'];
  if (address === undefined) return undefined;
  const response = await fetch(`${address}/${kind}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Access;
}

/** For the members of a shared server that would disturb other tests. */
export function refuseForShared(): never {
  throw new Error('Other test files use this server. Start a separate one to stop it.');
}
