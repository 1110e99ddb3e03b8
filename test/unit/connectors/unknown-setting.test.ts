import assert from 'node:assert/strict';
import { sourceKind } from '../../../server/src/connectors/source-kinds.ts';
import { unknownSetting, unknownTopLevelName } from '../../../server/src/connectors/unknown-setting.ts';
import { dataSource } from '../../support/postgresql-source.ts';

type Settings = Readonly<Record<string, unknown>>;

const auth = { kind: 'oauth2', tokenUrl: 'https://id.test/token', clientId: 'a', clientSecret: 'b' };

/** Settings of a source, the path of the one that its kind does not have, and the remedy. */
const cases: readonly (readonly [settings: Settings, path: string, remedy: string])[] = [
  [{ kind: 'csv', path: 'a.csv', typs: {} }, 'typs', 'Did you mean types?'],
  [{ kind: 'csv', path: 'a.csv', files: { 'a.csv': { typs: {} } } }, 'files.a.csv.typs', 'Did you mean types?'],
  [{ kind: 'postgresql', ssl: { mod: 'require' } }, 'ssl.mod', 'Did you mean mode?'],
  [{ kind: 'rest', endpoints: [{ name: 'a' }, { name: 'b', pth: '/b' }] }, 'endpoints.2.pth', 'Did you mean path?'],
  [{ kind: 'rest', auth: { ...auth, scpe: 'c' } }, 'auth.scpe', 'Did you mean scope?'],
];

describe('unknown settings', () => {
  for (const [settings, path, remedy] of cases) {
    it(`are named with their path › ${path}`, () => {
      const source = dataSource('shop', settings);
      const kind = sourceKind(source.kind?.value);
      assert.ok(kind);
      const error = unknownSetting(source, kind);
      assert.equal(error?.message, `Data source shop: ${path} is not a setting of kind ${kind.name}.`);
      assert.equal(error.details.remedy, remedy);
    });
  }

  it('are none of those whose names the user chooses, and none that begin with x-', () => {
    const all: readonly Settings[] = [
      { kind: 'csv', path: 'a.csv', 'x-a': { b: 1 }, types: { any: 'DATE' }, files: { 'a.csv': { 'x-b': 1 } } },
      { kind: 'csv', path: 'a.csv', files: { 'a.csv': null }, parts: { orders: ['a.csv'] } },
      { kind: 'rest', auth, endpoints: [{ name: 'a', path: '/a', 'x-c': {} }] },
      // No method of authentication: its own reader refuses it.
      { kind: 'rest', auth: { kind: 'other', any: 1 } },
    ];
    for (const settings of all) {
      const source = dataSource('shop', settings);
      const kind = sourceKind(source.kind?.value);
      assert.ok(kind);
      assert.equal(unknownSetting(source, kind)?.message, undefined);
    }
  });

  it('at the top of the file are named', () => {
    assert.equal(unknownTopLevelName(['version', 'dataSources', 'x-notes', '$schema']), undefined);
    assert.deepEqual(unknownTopLevelName(['version', 'timeZone', 'dataSources']), {
      name: 'timeZone',
      known: ['version', 'dataSources'],
    });
  });
});
