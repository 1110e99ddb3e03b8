import type { Catalog } from '../../../catalog/catalog.ts';
import { loginIdentity } from '../../http/login-identity.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import {
  type DictionaryFigures,
  dictionaryFigures,
  mergedFigures,
  tableDescriptions,
  viewDescriptions,
} from './dictionary-figures.ts';

/** Fingerprint of the dictionary of a catalog: while it is equal, the catalog is valid. */
interface CatalogFingerprint {
  /** Instance and login: another user may see other tables. */
  readonly identity: readonly unknown[];
  readonly names: DescribedNames;
  readonly figures: DictionaryFigures;
  /** Whether the columns of all its tables are known: they depend on the dictionary only, unlike endpoints. */
  readonly areTablesComplete: boolean;
}

/** The names looked up in the dictionary. */
interface DescribedNames {
  /** Every table, including missing ones. */
  readonly tables: readonly string[];
  /** Non-tables, which may be views. */
  readonly views: readonly string[];
}

type Identified = Pick<ServiceNowConfig, 'instanceUrl' | 'auth' | 'queryNoDomain' | 'language'>;

export function stampText(config: Identified, read: Omit<CatalogFingerprint, 'identity'>): string {
  return JSON.stringify({ identity: identityOf(config), ...read } satisfies CatalogFingerprint);
}

/** The stamp of a catalog if the dictionary is unchanged; undefined when changed or unknown. */
export async function unchangedStamp(
  config: Identified,
  client: ServiceNowClient,
  { stamp }: Catalog,
  options: CallOptions,
): Promise<Pick<CatalogFingerprint, 'areTablesComplete'> | undefined> {
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

/** Undefined for a stamp in another form. */
function parseStamp(text: string): CatalogFingerprint | undefined {
  try {
    const stamp = JSON.parse(text) as CatalogFingerprint;
    return typeof stamp.areTablesComplete === 'boolean' ? stamp : undefined;
  } catch {
    return undefined;
  }
}

function identityOf({ instanceUrl, auth, queryNoDomain, language = '' }: Identified): readonly unknown[] {
  return [instanceUrl.href, loginIdentity(auth), queryNoDomain, language];
}
