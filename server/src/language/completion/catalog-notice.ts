import type { SourceRange } from '../../model/source-range.ts';
import type { GraphContextInput } from '../graph-context.ts';
import type { CompletionProposal } from './completion-proposal.ts';

/** An item that explains why no names of the source are offered; accepting it changes nothing. */
export function catalogNotice(
  known: GraphContextInput,
  text: string,
  replace: SourceRange,
): readonly CompletionProposal[] {
  const words = catalogNoticeWords(known);
  if (!words) return [];
  const typed = text.slice(replace.start, replace.end);
  // The typed text keeps the item in the filtered list.
  return [{ ...words, kind: 'notice', insertText: typed, filterText: typed, sortText: '~', replace }];
}

/** The text that the source is being read, or why its names are unknown; undefined with a catalog. */
export function catalogNoticeWords({
  catalog,
  catalogReading: reading,
  catalogUnknownBecause,
}: GraphContextInput): { readonly label: string; readonly detail: string } | undefined {
  if (catalog) return undefined;
  if (reading) return { label: `Reading the tables of ${reading.dataSource}…`, detail: reading.step };
  if (catalogUnknownBecause === undefined) return undefined;
  return { label: 'The tables of the data source are not known', detail: catalogUnknownBecause };
}
