import type { Catalog } from '../../catalog/catalog.ts';
import { loginIdentity } from '../http/login-identity.ts';
import type { CallOptions } from './call-platform.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { type DictionaryFigures, dictionaryFigures } from './dictionary-figures.ts';

/** What a catalog was read from: as long as it is the same, the catalog would be. */
interface CatalogStamp {
  /** Instance and login: another user may read something else. */
  readonly identity: readonly unknown[];
  /** Every table whose dictionary was looked at, also those that are not there. */
  readonly tables: readonly string[];
  readonly figures: DictionaryFigures;
}

type Identified = Pick<ServiceNowConfig, 'instanceUrl' | 'auth'>;

export function stampText(config: Identified, tables: readonly string[], figures: DictionaryFigures): string {
  return JSON.stringify({ identity: identityOf(config), tables, figures } satisfies CatalogStamp);
}

/** Whether the dictionary is what a catalog was read from. False as well where the instance does not tell. */
export async function isUnchanged(
  config: Identified,
  client: ServiceNowClient,
  { stamp }: Catalog,
  options: CallOptions,
): Promise<boolean> {
  const known = stamp === undefined ? undefined : parseStamp(stamp);
  if (!known || JSON.stringify(known.identity) !== JSON.stringify(identityOf(config))) return false;
  const figures = await dictionaryFigures(client, known.tables, options);
  return figures !== undefined && JSON.stringify(figures) === JSON.stringify(known.figures);
}

function parseStamp(text: string): CatalogStamp | undefined {
  try {
    return JSON.parse(text) as CatalogStamp;
  } catch {
    return undefined;
  }
}

function identityOf({ instanceUrl, auth }: Identified): readonly unknown[] {
  return [instanceUrl.href, ...loginIdentity(auth).map((each) => each ?? null)];
}
