import assert from 'node:assert/strict';
import { utcTextReader } from '../../../server/src/connectors/utc-text.ts';

describe('utcTextReader', () => {
  const cases: readonly (readonly [text: string, timeZone: string, utc: string])[] = [
    ['2024-07-01 12:00:00', 'UTC', '2024-07-01T12:00:00.000000Z'],
    ['2024-07-01 12:00:00.000001', 'Europe/Berlin', '2024-07-01T10:00:00.000001Z'],
    ['2024-07-01 12:00:00.5+05:30', 'Europe/Berlin', '2024-07-01T06:30:00.500000Z'],
    ['1850-01-01 00:53:28+00:53:28', 'UTC', '1850-01-01T00:00:00.000000Z'],
    ['2024-01-01 00:00:00-03', 'UTC', '2024-01-01T03:00:00.000000Z'],
    ['2024-03-31 02:30:00', 'Europe/Berlin', '2024-03-31T01:30:00.000000Z'],
    ['2024-03-31 03:30:00', 'Europe/Berlin', '2024-03-31T01:30:00.000000Z'],
    ['2024-10-27 02:30:00', 'Europe/Berlin', '2024-10-27T00:30:00.000000Z'],
    ['2024-10-27 03:00:00', 'Europe/Berlin', '2024-10-27T02:00:00.000000Z'],
    ['2024-03-10 02:30:00', 'America/New_York', '2024-03-10T07:30:00.000000Z'],
    ['0050-01-01 00:00:00', 'UTC', '0050-01-01T00:00:00.000000Z'],
    ['0001-01-01 00:00:00 BC', 'UTC', '0000-01-01T00:00:00.000000Z'],
    ['12345-01-01 00:00:00+00', 'UTC', '+012345-01-01T00:00:00.000000Z'],
    ['290000-01-01 00:00:00', 'Europe/Berlin', '290000-01-01 00:00:00'],
    ['infinity', 'Europe/Berlin', 'infinity'],
  ];
  for (const [text, timeZone, utc] of cases) {
    it(`${text} in ${timeZone}`, () => assert.equal(utcTextReader(timeZone)(text), utc));
  }
});
