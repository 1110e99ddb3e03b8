import type { DataSource } from '../model/data-sources.ts';
import type { ConnectorContext } from './create-connector.ts';
import type { ConnectionSettings } from './http/open-client.ts';
import { signIn, signInState, type Authorize } from './http/sign-in.ts';

interface Login {
  readonly connection: ConnectionSettings;
  readonly authorizationPath: string;
}

/** How users log in to a kind of source in the browser. Modules load on first use. */
const logins: Readonly<Record<string, (source: DataSource, context: ConnectorContext) => Promise<Login>>> = {
  async servicenow(source, context) {
    const { serviceNowConnection } = await import('./servicenow/connection.ts');
    const { authorizationPath } = await import('./servicenow/settings.ts');
    const { connection } = await serviceNowConnection(source, context);
    return { connection, authorizationPath };
  },
  async rest(source, context) {
    const { restConnection } = await import('./rest/connection.ts');
    const { connection } = await restConnection(source, context);
    return { connection, authorizationPath: '' };
  },
};

/** Whether a source wants a login in the browser, and whether there is one. Rejects when its settings cannot be used. */
export async function signInStateOf(
  source: DataSource,
  context: ConnectorContext,
): Promise<'not needed' | 'needed' | 'done'> {
  const login = logins[source.kind?.value ?? ''];
  if (!login || !wantsBrowser(source)) return 'not needed';
  return signInState((await login(source, context)).connection);
}

/** Logs in to a source in the browser; resolves to false when the user gave up. Rejects with a `SourceError`. */
export async function signInToSource(
  source: DataSource,
  context: ConnectorContext,
  authorize: Authorize,
): Promise<boolean> {
  const login = logins[source.kind?.value ?? ''];
  if (!login) return false;
  const { connection, authorizationPath } = await login(source, context);
  return signIn(connection, authorizationPath, authorize);
}

/** Told from the text alone, as most sources need no secret to be looked up for this. */
function wantsBrowser({ settings }: DataSource): boolean {
  const auth = settings['auth'] as { readonly grant?: unknown } | null | undefined;
  return typeof auth === 'object' && auth?.grant === 'authorization_code';
}
