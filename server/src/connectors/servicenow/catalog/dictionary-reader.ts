import type { Catalog } from '../../../catalog/catalog.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { choiceLanguages } from './choice-languages.ts';
import { stampText } from './catalog-fingerprint.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { type DictionaryFigures, dictionaryFigures, mergedFigures, viewDescriptions } from './dictionary-figures.ts';
import { readableOr } from './dictionary-rows.ts';
import { readDictionary, type Dictionary, type DictionaryTable } from './read-dictionary.ts';
import { tookTooLong } from '../records/request-page.ts';
import { type DatabaseView, readViews, viewTable } from './read-views.ts';

/** Reads the dictionaries of tables and of database views for one catalog. */
interface DictionaryReader {
  read(names: readonly string[]): Promise<Pick<Dictionary, 'tables' | 'cancelled'>>;
  /** Stamp of everything read; undefined if a part was unavailable or ambiguous. */
  stamp(areTablesComplete: boolean): Pick<Catalog, 'stamp'>;
}

export function dictionaryReader(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  options: CallOptions,
): DictionaryReader {
  const wantsFigures = config.incremental;
  const names = new Set<string>();
  const noTables = new Set<string>();
  const figures: (DictionaryFigures | undefined)[] = [];
  // Display values are in the language of the user.
  const setting = config.displayValue === 'true' ? undefined : config.language;
  let asked: Promise<readonly string[]> | undefined;
  const languages = (): Promise<readonly string[]> => (asked ??= choiceLanguages(client, setting, options));

  async function readTables(wanted: readonly string[]): Promise<Dictionary> {
    const dictionary = await readDictionary(client, wanted, { ...options, wantsFigures, languages });
    for (const name of dictionary.names) names.add(name);
    if (wantsFigures) figures.push(dictionary.figures);
    return dictionary;
  }

  /** A non-table may be a view. */
  async function readOthers(others: readonly string[]): Promise<Pick<Dictionary, 'tables' | 'cancelled'>> {
    if (others.length === 0) return { tables: new Map(), cancelled: [] };
    for (const name of others) noTables.add(name);
    if (wantsFigures) figures.push(await dictionaryFigures(client, viewDescriptions, others, options));
    const none: ReadonlyMap<string, DatabaseView> = new Map();
    const views = await readableOr(none, () => readViews(client.tables, others, options));
    const joined = [...new Set([...views.values()].flatMap(({ tables }) => tables.map(({ table }) => table)))];
    const { tables: known = new Map<string, DictionaryTable>(), cancelled } =
      joined.length === 0 ? { cancelled: [] } : await readTables(joined);
    return { tables: new Map([...views].map(([name, view]) => [name, viewTable(view, known)])), cancelled };
  }

  return {
    async read(wanted) {
      const { tables, cancelled } = await readTables(wanted);
      const others = wanted.filter((name) => !tables?.has(name));
      const found = await readOthers(others).catch((error: unknown) => {
        if (!tookTooLong(error)) throw error;
        figures.push(undefined);
        return { tables: undefined, cancelled: ['database views'] };
      });
      const views = found.tables ?? new Map<string, DictionaryTable>();
      return {
        tables: tables || views.size > 0 ? new Map([...(tables ?? []), ...views]) : undefined,
        cancelled: [...new Set([...cancelled, ...found.cancelled])],
      };
    },
    stamp(areTablesComplete) {
      const merged = wantsFigures ? mergedFigures(figures) : undefined;
      if (!merged) return {};
      const described = { tables: [...names], views: [...noTables] };
      return { stamp: stampText(config, { names: described, figures: merged, areTablesComplete }) };
    },
  };
}
