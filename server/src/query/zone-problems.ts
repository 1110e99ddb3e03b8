import type { Problem } from '../model/problem.ts';
import type { Located } from '../model/source-range.ts';
import { timeZoneMistake } from '../model/time-zones.ts';

/** Why the `timeZone` of an entry or a calendar is refused: it is not in the IANA list, in its spelling. */
export function zoneProblems({ timeZone }: { readonly timeZone?: Located<string> | undefined }): readonly Problem[] {
  const mistake = timeZone && timeZoneMistake(timeZone.value);
  if (!mistake) return [];
  const { said, remedy, suggestions } = mistake;
  return [
    {
      code: 'unknown-time-zone',
      severity: 'error',
      message: `${said} ${remedy}`,
      range: timeZone.range,
      ...(suggestions.length > 0 ? { suggestions } : {}),
    },
  ];
}
