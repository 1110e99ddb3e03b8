import type { Catalog } from '../../../catalog/catalog.ts';
import { loginIdentity } from '../../http/login-identity.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../config.ts';
import {
  type DictionaryFigures,
  dictionaryFigures,
  mergedFigures,
  tableDescriptions,
  viewDescriptions,
} from './dictionary-figures.ts';

/** What a catalog was read from: as long as it is the same, the catalog would be. */
interface CatalogStamp {
  /** Instance and login: another user may read something else. */
  readonly identity: readonly unknown[];
  readonly names: DescribedNames;
  readonly figures: DictionaryFigures;
  /** Whether the columns of all its tables are known: unlike endpoints, these stay as they are while the dictionary does. */
  readonly areTablesComplete: boolean;
}

/** What was looked for in the dictionary. */
interface DescribedNames {
  /** Every table, also those that are not there. */
  readonly tables: readonly string[];
  /** What is no table, and may be a view. */
  readonly views: readonly string[];
}

type Identified = Pick<ServiceNowConfig, 'instanceUrl' | 'auth' | 'queryNoDomain' | 'language'>;

export function stampText(config: Identified, read: Omit<CatalogStamp, 'identity'>): string {
  return JSON.stringify({ identity: identityOf(config), ...read } satisfies CatalogStamp);
}

/** The stamp of a catalog if the dictionary is still what it was read from; undefined as well where the instance does not tell. */
export async function unchangedStamp(
  config: Identified,
  client: ServiceNowClient,
  { stamp }: Catalog,
  options: CallOptions,
): Promise<Pick<CatalogStamp, 'areTablesComplete'> | undefined> {
  const known = stamp === undefined ? undefined : parseStamp(stamp);
  if (!known || JSON.stringify(known.identity) !== JSON.stringify(identityOf(config))) return undefined;
  const { tables, views } = known.names;
  const parts = [
    await dictionaryFigures(client, tableDescriptions, tables, options),
    ...(views.length > 0 ? [await dictionaryFigures(client, viewDescriptions, views, options)] : []),
  ];
  const figures = mergedFigures(parts);
  const isUnchanged = figures !== undefined && JSON.stringify(figures) === JSON.stringify(known.figures);
  return isUnchanged ? known : undefined;
}

/** Undefined for stamps of earlier versions, which lack a part. */
function parseStamp(text: string): CatalogStamp | undefined {
  try {
    const stamp = JSON.parse(text) as CatalogStamp;
    return typeof stamp.areTablesComplete === 'boolean' ? stamp : undefined;
  } catch {
    return undefined;
  }
}

function identityOf({ instanceUrl, auth, queryNoDomain, language = '' }: Identified): readonly unknown[] {
  return [instanceUrl.href, loginIdentity(auth), queryNoDomain, language];
}
