import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Finding } from '../../protocol/findings.ts';
import type { FindingKind } from '../../protocol/shapes/finding-shapes.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { findFindings } from '../../server/src/findings/find-findings.ts';
import { findingFixes } from '../../server/src/language/finding-fixes.ts';
import { editGraph } from '../../server/src/model/edits/edit-graph.ts';
import { applyEdits } from '../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { openKnownCatalog } from '../../server/src/operations/validation/known-catalog.ts';
import { zoneOffsets } from '../../server/src/model/zone-offsets.ts';
import { findSources } from '../../server/src/project/open-project.ts';
import { type LogRow, type LogShape, cleanLog, logFiles, randomFrom } from '../support/generated-log.ts';
import { withGraph } from '../support/import-text.ts';
import { damagedActivity, injections } from '../support/inject-oddities.ts';

type Files = Readonly<Record<string, string>>;

const graphFile = 'graph.entity.yaml';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** In winter, when Berlin is an hour before UTC. */
const shape: LogShape = { name: 'winter', cases: 400, days: 60, wait: 1, spread: 0.8, precisionMs: 1_000 };

interface ReadLog {
  /** The events of each entity in their order, with their times. */
  readonly paths: readonly string[];
  /** The events of each entity in their order. */
  readonly variants: readonly string[];
  /** The steps of the map with their counts. */
  readonly map: readonly unknown[];
  readonly found: readonly Finding[];
  /** The text with the edit of a fix. */
  mended(title: RegExp): string;
}

/** The map and the variants of a log, and what is found of a kind, with the edits that mend it. */
async function read(files: Files, kind: FindingKind): Promise<ReadLog> {
  return withGraph(files, async (project) => {
    await project.import();
    const events = await project.rows(`SELECT e.key, v.activity, CAST(v.time AS VARCHAR) AS time
FROM event AS v JOIN entity AS e ON e.id = v.entity_id ORDER BY e.key, v.id`);
    const perKey = (text: (row: (typeof events)[number]) => string): readonly string[] => {
      const paths = new Map<string, string[]>();
      for (const row of events) paths.set(String(row[0]), [...(paths.get(String(row[0])) ?? []), text(row)]);
      return [...paths].map(([key, path]) => `${key}: ${path.join('; ')}`);
    };
    const map = await project.rows(`SELECT s.activity, t.activity, count(*) FROM directly_follows AS f
JOIN event AS s ON s.id = f.source_event_id JOIN event AS t ON t.id = f.target_event_id GROUP BY ALL ORDER BY ALL`);
    const findings = await project.read((store) => findFindings(store, {}));
    const found = findings.filter((finding) => finding.kind === kind);
    const text = files[graphFile] ?? '';
    const parsed = parseEntityGraph(text);
    const context = { environment: {}, readSecret: () => Promise.resolve(undefined), permitUses: permitAllUses };
    const sourcesFile = await findSources(join(project.folder, graphFile), context);
    const known = await openKnownCatalog(parsed, sourcesFile, context, { online: true });
    const fixes = found.flatMap((finding) =>
      findingFixes(finding, { graph: parsed.graph, sources: sourcesFile?.sources, catalog: known.catalog }),
    );
    await known.close();
    return {
      paths: perKey(([, activity, time]) => `${String(activity)} ${String(time)}`),
      variants: perKey(([, activity]) => String(activity)),
      map,
      found,
      mended(title) {
        const fix = fixes.find((each) => title.test(each.title));
        assert.ok(fix, fixes.map((each) => each.title).join(', ') || JSON.stringify(found));
        const outcome = editGraph(parsed.yaml, { kind: 'configureElements', elements: fix.elements });
        assert.ok('edits' in outcome, JSON.stringify(outcome));
        return applyEdits(text, outcome.edits);
      },
    };
  });
}

/** The damaged log has the finding; with the edit that it offers, the graph is that of the clean log. */
async function assertMended(
  kind: FindingKind,
  { clean, damaged, fix }: { readonly clean: Files; readonly damaged: Files; readonly fix: RegExp },
): Promise<void> {
  const [whole, odd] = [await read(clean, kind), await read(damaged, kind)];
  assert.deepEqual([whole.found.length, odd.found.length], [0, 1]);
  assert.notDeepEqual(odd.paths, whole.paths);
  const mended = await read({ ...damaged, [graphFile]: odd.mended(fix) }, kind);
  assert.deepEqual(mended.found, []);
  assert.deepEqual(mended.paths, whole.paths);
  assert.deepEqual(mended.map, whole.map);
}

/** Of a fix that leaves rows out: exactly these entities and events are gone. */
async function assertLeftOut(
  kind: FindingKind,
  { damaged, fix, isOdd }: { readonly damaged: Files; readonly fix: RegExp; isOdd(path: string): boolean },
): Promise<void> {
  const odd = await read(damaged, kind);
  assert.equal(odd.found.length, 1);
  const left = await read({ ...damaged, [graphFile]: odd.mended(fix) }, kind);
  assert.deepEqual(left.found, []);
  const events = ({ paths }: ReadLog): readonly string[] =>
    paths.flatMap((path) => {
      const [key = '', list = ''] = path.split(': ');
      return list.split('; ').map((event) => `${key}: ${event}`);
    });
  assert.deepEqual(
    events(left),
    events(odd).filter((event) => !isOdd(event)),
  );
}

describe('findings, once their fix is made', () => {
  const rows = (): LogRow[] => cleanLog(shape, 5);
  const ship = 'ship_order.csv';

  it('near-equal labels: activityNames', async () => {
    const inject = injections['near-equal-labels'];
    assert.ok(inject);
    await assertMended('near-equal-labels', {
      clean: logFiles(rows(), shape),
      damaged: logFiles(inject(rows(), 0.05, randomFrom(3)), shape),
      fix: /^Call ".*" "Ship Order"$/,
    });
  });

  it('names in two languages: activityNames', async () => {
    const german = (): LogRow[] =>
      rows().map((row, index) =>
        row.activity === damagedActivity && index % 7 === 0
          ? { ...row, activity: 'Auftrag versenden', table: damagedActivity }
          : row,
      );
    await assertMended('near-equal-labels', {
      clean: logFiles(rows(), shape),
      damaged: logFiles(german(), shape),
      fix: /^Call "Auftrag versenden" "Ship Order"$/,
    });
  });

  it('a key of the row, or of a region: the key of the order', async () => {
    for (const [kind, key] of [
      ['exploded-keys', 'doc'],
      ['dominant-entity', 'region'],
    ] as const) {
      const clean = logFiles(rows(), { ...shape, key });
      const text = (clean[graphFile] ?? '').replaceAll(`key: ${key}`, 'key: case');
      await assertMended(kind, {
        clean: { ...clean, [graphFile]: text },
        damaged: clean,
        fix: /^Write key: case$/,
      });
    }
  });

  it('another time zone: timeZone of the element', async () => {
    const local = (csv: string): string =>
      csv.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
        new Date(Date.parse(time) + hourMs).toISOString().slice(0, 19).replace('T', ' '),
      );
    const clean = logFiles(rows(), shape);
    await assertMended('zone-shift', {
      clean,
      damaged: { ...clean, [ship]: local(clean[ship] ?? '') },
      fix: /^Write timeZone: Europe\/Berlin$/,
    });
  });

  it('an offset instead of a zone, which is wrong in summer: timeZone of the element', async () => {
    const year: LogShape = { ...shape, cases: 1_000, days: 360 };
    const clean = logFiles(cleanLog(year, 7), year);
    // Of Berlin, in a column without zone that is read with the offset of the winter.
    const local = (csv: string): string =>
      csv.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (text) => {
        const at = Date.parse(text);
        return new Date(at + zoneOffsets('Europe/Berlin')(at)).toISOString().slice(0, 19).replace('T', ' ');
      });
    const offset = (clean[graphFile] ?? '').replace(
      'dataObject: ship_order,',
      'dataObject: ship_order, timeZone: Etc/GMT-1,',
    );
    await assertMended('zone-shift', {
      clean,
      damaged: { ...clean, [ship]: local(clean[ship] ?? ''), [graphFile]: offset },
      fix: /^Write timeZone: Europe\/Berlin$/,
    });
  });

  it('events recorded twice: the row with the least number', async () => {
    const numbered = (csv: string): string => {
      const [header, ...lines] = csv.split('\n');
      return [`row,${header}`, ...lines.map((line, row) => `${row + 1},${line}`)].join('\n');
    };
    const inject = injections['duplicate-events'];
    assert.ok(inject);
    const [clean, damaged] = [logFiles(rows(), shape), logFiles(inject(rows(), 0.05, randomFrom(3)), shape)];
    await assertMended('duplicate-events', {
      clean: { ...clean, [ship]: numbered(clean[ship] ?? '') },
      damaged: { ...damaged, [ship]: numbered(damaged[ship] ?? '') },
      fix: /^Keep one row of each: the one with the least row$/,
    });
  });

  it('dates that mean the end of their day: atEndOfDay', async () => {
    // In the clean log an order is shipped at the end of a day, and all that follows comes after it.
    const late = rows();
    const ends = new Map<string, number>();
    for (const row of late) {
      const before = ends.get(row.case);
      if (row.activity === damagedActivity) {
        row.time = Math.floor(row.time / dayMs) * dayMs + dayMs;
        ends.set(row.case, row.time);
      } else if (before !== undefined) row.time = Math.max(row.time, before + hourMs);
    }
    const files = logFiles(late, shape);
    const changed = (to: (at: number) => string): Files => ({
      ...files,
      [ship]: (files[ship] ?? '').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => to(Date.parse(time))),
    });
    await assertMended('dates-beside-times', {
      clean: changed((at) => new Date(at - 1).toISOString().replace('.999Z', '.999999Z')),
      damaged: changed((at) => new Date(at - 1).toISOString().slice(0, 10)),
      fix: /^Let these dates be the end of their day$/,
    });
  });

  it('the order of events of one time: sequence', async () => {
    // Their true order is in another column. The file names the later activity first.
    const places = ['place', 'check', 'pack', 'ship', 'send', 'receive'];
    const numbered = (files: Files): Files =>
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => {
          const place = places.findIndex((word) => name.startsWith(word));
          if (name === graphFile) return [name, text.replaceAll('properties: [', 'properties: [step, ')];
          const [header, ...lines] = text.split('\n');
          return [name, place < 0 ? text : [`${header},step`, ...lines.map((line) => `${line},${place}`)].join('\n')];
        }),
      );
    const reversed = (files: Files): Files => {
      const lines = (files[graphFile] ?? '').split('\n');
      const elements = lines.filter((line) => line.startsWith('  - { activityName'));
      const others = lines.filter((line) => !elements.includes(line) && line !== '');
      return { ...files, [graphFile]: [...others, ...elements.reverse(), ''].join('\n') };
    };
    const inject = injections['same-time-order'];
    assert.ok(inject);
    const same = inject(rows(), 0.05, randomFrom(3));
    const damaged = numbered(reversed(logFiles(same, shape)));
    const odd = await read(damaged, 'same-time-order');
    assert.equal(odd.found.length, 1);
    const mended = await read({ ...damaged, [graphFile]: odd.mended(/^Write sequence: step$/) }, 'same-time-order');
    assert.deepEqual(mended.found, []);
    // The times of these events are not those of the clean log any more, but their order is.
    const whole = await read(logFiles(rows(), shape), 'same-time-order');
    assert.deepEqual(mended.variants, whole.variants);
    assert.deepEqual(mended.map, whole.map);
    assert.notDeepEqual(odd.variants, whole.variants);
  });

  it('a key that is no key: exactly its rows are left out', async () => {
    const inject = injections['dominant-entity'];
    assert.ok(inject);
    const oneTable: LogShape = { ...shape, isOneTable: true };
    await assertLeftOut('dominant-entity', {
      damaged: logFiles(inject(rows(), 0.05, randomFrom(3)), oneTable),
      fix: /^Leave out the rows of "UNASSIGNED"$/,
      isOdd: (event) => event.startsWith('UNASSIGNED'),
    });
  });

  it('a key that is no key in several tables: exactly its rows are left out of each', async () => {
    await assertLeftOut('dominant-entity', {
      damaged: logFiles(injections['dominant-entity'](rows(), 0.05, randomFrom(3)), shape),
      fix: /^Leave out the rows of "UNASSIGNED"$/,
      isOdd: (event) => event.startsWith('UNASSIGNED'),
    });
  });

  it('times without time of day: exactly these are at the end of their day', async () => {
    const kind = 'midnight-times';
    // Times without zone, as the files of people have them.
    const damaged = Object.fromEntries(
      Object.entries(logFiles(injections[kind](rows(), 0.05, randomFrom(3)), shape)).map(([name, text]) => [
        name,
        name === ship ? text.replaceAll(/(\d{4}-\d\d-\d\d)T([\d:]+)\.000Z/g, '$1 $2') : text,
      ]),
    );
    const odd = await read(damaged, kind);
    assert.equal(odd.found.length, 1);
    const mended = await read(
      { ...damaged, [graphFile]: odd.mended(/^Let these dates be the end of their day$/) },
      kind,
    );
    assert.deepEqual(mended.found, []);
    const times = ({ paths }: ReadLog): readonly string[] =>
      paths
        .flatMap((path) => {
          const [key = '', list = ''] = path.split(': ');
          return list.split('; ').map((event) => `${key}: ${event}`);
        })
        .toSorted();
    const atEnd = times(odd).map((event) =>
      event.includes(damagedActivity) ? event.replace(/ 00:00:00$/, ' 23:59:59.999999') : event,
    );
    assert.notDeepEqual(times(odd), atEnd);
    assert.deepEqual(times(mended), atEnd.toSorted());
  });

  it('a column that is almost a key: the import names exactly the rows that repeat a value', async () => {
    const kind = 'almost-key';
    const damagedRows = injections[kind](rows(), 0.05, randomFrom(3));
    const damaged = logFiles(damagedRows, shape);
    const odd = await read(damaged, kind);
    const warnings = await withGraph(
      { ...damaged, [graphFile]: odd.mended(/^Expect doc to be unique$/) },
      async (project) => (await project.import()).warnings,
    );
    const docs = damagedRows.filter(({ activity }) => activity === damagedActivity).map(({ doc }) => doc);
    const repeated = new Set(docs.filter((doc, place) => docs.indexOf(doc) < place));
    const shared = docs.filter((doc) => repeated.has(doc)).length;
    assert.ok(repeated.size > 10);
    assert.equal(warnings.length, 1);
    const told = (warnings[0] ?? '').match(/D\d{6}/g) ?? [];
    assert.ok(told.length > 0 && told.every((doc) => repeated.has(doc)), warnings[0]);
    assert.ok(warnings[0]?.startsWith(`${shared} of `), warnings[0]);
  });

  it('waits apart from all others: exactly the rows with wrong years are left out', async () => {
    const inject = injections['duration-outliers'];
    assert.ok(inject);
    await assertLeftOut('duration-outliers', {
      damaged: logFiles(inject(rows(), 0.05, randomFrom(3)), shape),
      fix: /^Leave out the rows from 2026-01-01 on$/,
      isOdd: (event) => / 203\d-/.test(event),
    });
  });
});
