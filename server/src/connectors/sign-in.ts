import type { DataSource } from '../model/data-sources.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { Authorize } from './http/browser-login.ts';
import { signIn, signInState } from './http/sign-in.ts';
import { sourceKind } from './source-kinds.ts';

/** Whether a source uses a browser login, and whether there is one. Rejects for invalid settings. */
export async function signInStateOf(
  source: DataSource,
  context: ConnectorContext,
): Promise<'not needed' | 'needed' | 'done'> {
  const load = sourceKind(source.kind?.value)?.browserConnection;
  if (!load || !wantsBrowser(source)) return 'not needed';
  const connection = await load();
  return signInState(await connection(source, context));
}

/** Logs in to a source in the browser; resolves to false when cancelled. Rejects with a `SourceError`. */
export async function signInToSource(
  source: DataSource,
  context: ConnectorContext,
  authorize: Authorize,
): Promise<boolean> {
  const connection = await sourceKind(source.kind?.value)?.browserConnection?.();
  return connection ? signIn(await connection(source, context), authorize) : false;
}

/** Checks the raw settings, because most sources then need no secrets. */
function wantsBrowser({ settings }: DataSource): boolean {
  const auth = settings['auth'] as { readonly grant?: unknown } | null | undefined;
  return typeof auth === 'object' && auth?.grant === 'authorization_code';
}
