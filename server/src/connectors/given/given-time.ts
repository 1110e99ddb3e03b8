import { hasOffset } from '../../dialects/standard/written-value.ts';
import { zoneOffsets } from '../../model/zone-offsets.ts';
import { utcTextReader } from '../utc-text.ts';

/** Converts written ISO 8601 times, also those without seconds. Other texts stay unchanged. */
export interface GivenTimeReader {
  /** `2024-01-01T10:00:00.000000Z`; one without an offset is in the time zone. */
  utc(text: string): string;
  /** `2024-01-01 10:00:00.000000`: the local time in the time zone. */
  local(text: string): string;
}

export function givenTimeReader(timeZone: string): GivenTimeReader {
  const toUtc = utcTextReader(timeZone);
  const offsetAt = zoneOffsets(timeZone);
  const utc = (text: string): string => {
    const { date, clock, offset } = partsOf(text);
    const zone = /^z$/i.test(offset) ? '+00' : offset.replace(/^(.\d\d)(\d\d)$/, '$1:$2');
    return date === '' ? text : toUtc(`${date} ${clock}${zone}`);
  };
  return {
    utc,
    local(text) {
      const { date, clock } = partsOf(text);
      if (date === '') return text;
      if (!hasOffset(text)) {
        const [seconds = '', fraction = ''] = clock.split('.');
        return `${date} ${seconds}.${fraction.padEnd(6, '0')}`;
      }
      const instant = utc(text);
      const milliseconds = Date.parse(instant);
      if (Number.isNaN(milliseconds)) return text;
      const moved = new Date(milliseconds + offsetAt(milliseconds)).toISOString();
      // `Date` has milliseconds only; the last three digits of microseconds are added.
      return `${moved.slice(0, 10)} ${moved.slice(11, 23)}${instant.slice(23, 26)}`;
    },
  };
}

function partsOf(text: string): { readonly date: string; readonly clock: string; readonly offset: string } {
  const [, date = '', minutes = '00:00', seconds = ':00', offset = ''] =
    /^(\S{10})(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(text) ?? [];
  return { date, clock: `${minutes}${seconds}`, offset };
}
