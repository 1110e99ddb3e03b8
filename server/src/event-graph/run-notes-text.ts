import { type MapWords, filledIn } from '../../../protocol/map-words.ts';
import type { RunNotes } from './read-run-notes.ts';

/** A sentence for each reason why a graph is not the whole process as it is now: slices and kept rows. */
export function runNotesText(
  { keptRows = [], slice }: Pick<RunNotes, 'keptRows' | 'slice'>,
  words: Pick<MapWords, 'keptRows' | 'sample' | 'since'>,
): readonly string[] {
  return [
    ...(slice?.sample === undefined ? [] : [filledIn(words.sample, slice.sample.toLocaleString('en-US'))]),
    ...(slice?.since === undefined ? [] : [filledIn(words.since, minuteOf(slice.since))]),
    ...keptRows.map(({ dataSource, readAt }) => filledIn(words.keptRows, dataSource, minuteOf(readAt))),
  ];
}

/** Such as `2024-02-29 12:34`. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
