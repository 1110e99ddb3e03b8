import type { SourceRange } from '../../model/source-range.ts';
import type { GraphContextInput } from '../graph-context.ts';
import type { CompletionProposal } from './completion-proposal.ts';

/** An item that says why no names of the source are offered; accepting it leaves the text as it is. */
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

/** Says that the source is being read, or why its names are not known; undefined with a catalog. */
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
