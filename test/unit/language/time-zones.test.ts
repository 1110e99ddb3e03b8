import assert from 'node:assert/strict';
import { timeZoneMistake, timeZones } from '../../../server/src/model/time-zones.ts';
import { validateDataSources } from '../../../server/src/language/validation/validate-graph.ts';

/** docs/rules.md#unknown-time-zone */
describe('time zones', () => {
  it('every name of the list is one that Node.js knows, for the times of previews', () => {
    for (const timeZone of timeZones) assert.ok(new Intl.DateTimeFormat('en', { timeZone }), timeZone);
    assert.equal(timeZones.size, 597);
  });

  const refused: readonly (readonly [name: string, remedy: RegExp])[] = [
    ['utc', /Did you mean "UTC"/],
    ['est', /Did you mean .*"EST"/],
    ['europe/berlin', /Did you mean "Europe\/Berlin"/],
    ['+02:00', /Use a name such as Europe\/Berlin or UTC/],
    ['Z', /Use a name such as|Did you mean/],
    ['${env:ZONE}', /Use a name such as Europe\/Berlin or UTC/],
  ];
  for (const [name, remedy] of refused) {
    it(`${name} is refused, on every version of Node.js`, () => {
      assert.match(timeZoneMistake(name)?.remedy ?? '', remedy);
      const text = `version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv", timeZone: "${name}" }\n`;
      assert.deepEqual(
        validateDataSources({ text }).map(({ code }) => code),
        ['unknown-time-zone'],
      );
    });
  }

  for (const name of ['UTC', 'Etc/UTC', 'EST', 'Europe/Kyiv', 'Asia/Calcutta', 'Etc/GMT-2']) {
    it(`${name} is accepted`, () => assert.equal(timeZoneMistake(name), undefined));
  }
});
