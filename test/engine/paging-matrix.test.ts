import assert from 'node:assert/strict';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { type SourceError, isSourceError } from '../../server/src/connectors/source-error.ts';
import type { ObjectRead } from '../../server/src/query/compiled-query.ts';
import {
  beyondEnds,
  cursorEnds,
  nameOf,
  pageSize,
  pagingFaults,
  pagingStyles,
  startStyledService,
  type PagingCell,
  type StyledService,
} from '../simulator/paging-styles.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createConnector } from '../support/create-connector.ts';
import { fileQuery } from '../support/csv-source.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { randomOf } from '../support/random.ts';
import { countSoak, hasSoakTime, isSoak, soakCases, soakList } from '../support/soak.ts';

/** How the endpoint is configured: `right`, without pagination, with a misspelt one, or with `pagination: none`. */
const settingsKinds = ['right', 'absent', 'misspelt', 'none'] as const;

interface Case extends PagingCell {
  readonly settings: (typeof settingsKinds)[number];
}

const counts = [0, 1, 9, 10, 11, 20, 25, 30] as const;
const charsets = ['utf-8', 'iso-8859-1', 'utf-16le', 'wrong'] as const;

/** Every combination that a service can have. */
const cases: readonly Case[] = pagingStyles.flatMap((style) =>
  (style.kind === 'place'
    ? beyondEnds
    : style.kind === 'cursor'
      ? cursorEnds
      : (['usual', 'empty page', '204'] as const)
  )
    .flatMap((end) => pagingFaults.flatMap((fault) => counts.map((count) => ({ style, end, fault, count }))))
    .flatMap((each, index) =>
      settingsKinds.map((settings): Case => {
        // The charsets take turns: they have nothing to do with paging.
        const charset = charsets[index % 23 === 0 ? 3 : index % 3] ?? 'utf-8';
        return { ...each, settings, charset };
      }),
    ),
);

/** Losses that nothing in the answers shows: such a list ends like a shorter one. */
function isUndetectable({ style, fault, count }: Case): boolean {
  if (style.tells === 'flag') return fault === 'hole' && count <= 2 * pageSize;
  return (
    style.tells === 'nothing' &&
    (['hole', 'cut chain'].includes(fault) || (fault === 'missing' && style.kind === 'place'))
  );
}

interface Outcome {
  readonly ids: readonly number[];
  readonly names: readonly string[];
  readonly warnings: readonly string[];
  readonly error?: SourceError;
}

const read: ObjectRead = {
  dataObject: 'orders',
  columns: [
    { name: 'id', type: 'BIGINT', sense: 'integer', nullable: false, primaryKey: true },
    { name: 'name', type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false },
  ],
} as unknown as ObjectRead;

function endpointOf({ style, settings }: Case): object {
  const { pagination, ...place } = style.settings;
  const paging = {
    right: { pagination },
    absent: {},
    none: { pagination: 'none' },
    misspelt: {
      pagination:
        pagination['next'] === undefined
          ? { style: 'link' }
          : { ...pagination, next: `${String(pagination['next'])}x` },
    },
  }[settings];
  return {
    name: 'orders',
    path: '/orders',
    key: 'id',
    columns: { id: 'BIGINT', name: 'VARCHAR' },
    ...place,
    ...paging,
  };
}

async function connectorFor(each: Case, service: StyledService): Promise<Connector> {
  const source = { kind: 'rest', baseUrl: service.url, endpoints: [endpointOf(each)] };
  return createConnector(dataSource('api', source), {
    ...{ folder: process.cwd(), permitUses: permitAllUses, readSecret: async () => undefined, environment: {} },
  });
}

/** Imports the orders of a case as an element would. */
async function outcomeOf(
  each: Case,
  service: StyledService,
  staging: Parameters<Parameters<typeof withBuildDatabase>[0]>[0],
): Promise<Outcome> {
  service.play(each);
  const connector = await connectorFor(each, service);
  const pull = await connector.openPull(staging, {});
  try {
    const query = { ...fileQuery('SELECT id, name FROM orders', ['orders']), reads: [read] };
    const { warnings } = await pull.load(query, 'result', {});
    const { rows } = await staging.table('SELECT * FROM result');
    await staging.run('DROP TABLE result');
    return { ids: rows.map(([id]) => Number(id)), names: rows.map(([, name]) => String(name)), warnings };
  } catch (error) {
    if (!isSourceError(error)) throw error;
    return { ids: [], names: [], warnings: [], error };
  } finally {
    await pull.close();
    await connector.close();
  }
}

/** The expected outcome of a case. */
function check(each: Case, { ids, names, warnings, error }: Outcome): void {
  const { style, count, end, fault, settings, charset } = each;
  const isWhole =
    ids.length === count && new Set(ids).size === count && names.every((name, at) => name === nameOf(ids[at] ?? 0));
  if (charset === 'wrong' && count > 0) {
    assert.equal(error?.code, 'source-failed', 'bytes that are no text are refused');
    return;
  }
  if (settings === 'none') {
    // The user has said so; only its answer counts.
    assert.equal(error, undefined);
    assert.deepEqual([ids.length, warnings], [Math.min(count, pageSize), []]);
    return;
  }
  const isHarmless =
    ['none', 'busy'].includes(fault) ||
    count <= pageSize ||
    (['capped total', 'lower bound'].includes(fault) && style.kind === 'place');
  // Pages that never differ may also mean that the service ignores their number.
  const isOnePage = end === 'repeat' && count <= pageSize && (style.tells !== 'count' || fault === 'lower bound');
  if (settings === 'right' && isOnePage && error) {
    assert.match(error.message, /sends the same page again/);
    return;
  }
  if (settings === 'right' && isHarmless) {
    assert.equal(error, undefined, 'a valid list is read');
    assert.ok(isWhole, `${ids.length} of ${count} came`);
    const mayBeMore = style.tells === 'nothing' ? ['usual', 'absent'] : ['absent'];
    const isSilent = count === pageSize && mayBeMore.includes(end);
    assert.ok(warnings.length === 0 || isSilent, warnings.join());
    return;
  }
  if (settings !== 'right' && count <= pageSize && error) {
    const isAnnounced = ['empty page', '204'].includes(end);
    assert.equal(error.code, 'paging-unclear');
    assert.ok(count === pageSize || isAnnounced, `a short list is whole: ${error.message}`);
    return;
  }
  if (error || isWhole || isUndetectable(each)) return;
  // Rows were lost: with nothing in the answer that tells of them, a usual length is a warning.
  assert.ok(settings !== 'right', `${ids.length} of ${count} came without an error`);
  assert.ok(style.tells === 'nothing' || fault === 'capped total', 'the answer tells of more');
  assert.match(warnings.join(), /^The endpoint orders answers with exactly \d+ records and may have more\. /);
}

/** A case in words. */
function titleOf({ style, count, end, fault, settings, charset }: Case): string {
  return `${count} orders by ${style.name}, end: ${end}, fault: ${fault}, pagination: ${settings}, ${charset}`;
}

/** One case of each style and end, and of each style and fault, in turn with the settings. */
function few(): readonly Case[] {
  const random = randomOf(7);
  const pick = (list: readonly Case[]): readonly Case[] => {
    const found = list[Math.floor(random() * list.length)];
    return found ? [found] : [];
  };
  return pagingStyles.flatMap((style) => {
    const own = cases.filter((each) => each.style === style && each.count > pageSize && each.charset !== 'wrong');
    const right = own.filter(({ settings, fault }) => settings === 'right' && fault === 'none');
    return [
      ...pick(right),
      ...pick(right),
      ...pick(own.filter(({ settings, fault }) => settings === 'right' && fault !== 'none')),
      ...pick(own.filter(({ settings }) => settings === 'absent')),
    ];
  });
}

describe('paging of REST interfaces › styles, ends, faults and settings', () => {
  it(`has at least two thousand cases`, () => {
    assert.ok(cases.length >= 2000, String(cases.length));
  });

  it('loses no row without an error, and refuses no valid list', async () => {
    const service = await startStyledService();
    const failures: string[] = [];
    try {
      await withBuildDatabase(async (staging) => {
        for (const each of soakList(cases, few()).slice(0, soakCases(100))) {
          if (!hasSoakTime()) break;
          const outcome = await outcomeOf(each, service, staging);
          try {
            check(each, outcome);
          } catch (error) {
            failures.push(`${titleOf(each)}: ${(error as Error).message} (${outcome.error?.message ?? 'no error'})`);
          }
          countSoak();
        }
      });
    } finally {
      await service.close();
    }
    assert.deepEqual(failures.slice(0, 50), [], `${failures.length} failures`);
  }).timeout(isSoak ? 0 : 120_000);
});
