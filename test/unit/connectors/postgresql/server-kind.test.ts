import assert from 'node:assert/strict';
import { serverKind } from '../../../../server/src/connectors/postgresql/server-kind.ts';

describe('serverKind', () => {
  const cases: readonly (readonly [
    version: string,
    extensions: readonly string[],
    name: string,
    major: number,
    warns: boolean,
  ])[] = [
    ['PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc', ['plpgsql'], 'PostgreSQL', 18, false],
    ['PostgreSQL 15.3 (Debian 15.3-1) on x86_64', ['plpgsql', 'citus'], 'Citus', 15, false],
    ['PostgreSQL 9.4.26 (Greenplum Database 6.20.0 build) on x86_64', [], 'Greenplum', 0, true],
    ['PostgreSQL 11.2-YB-2.18.0.0-b0 on x86_64', [], 'YugabyteDB', 0, true],
    ['CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu)', [], 'CockroachDB', 0, true],
    ['PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.58593', [], 'Amazon Redshift', 0, true],
  ];
  for (const [version, extensions, name, major, warns] of cases) {
    it(name, () => {
      const kind = serverKind(version, extensions);
      assert.deepEqual([kind.name, kind.version], [name, major]);
      assert.equal(kind.warning !== undefined, warns);
      if (warns) assert.match(kind.warning ?? '', /engine: source/);
    });
  }
});
