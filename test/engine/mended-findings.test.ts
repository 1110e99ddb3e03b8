import assert from 'node:assert/strict';
import type { FindingKind } from '../../protocol/findings.ts';
import { findFindings } from '../../server/src/findings/find-findings.ts';
import { type LogRow, type LogShape, cleanLog, logFiles, randomFrom } from '../support/generated-log.ts';
import { withGraph } from '../support/import-text.ts';
import { damagedActivity, injections } from '../support/inject-oddities.ts';

type Files = Readonly<Record<string, string>>;

const graphFile = 'graph.entity.yaml';
const hourMs = 3_600_000;
/** In winter, when Berlin is an hour before UTC. */
const shape: LogShape = { name: 'winter', cases: 400, days: 60, wait: 1, spread: 0.8, precisionMs: 1_000 };

/** The order of the activities of each entity, and what is found of a kind. */
async function read(files: Files, kind: FindingKind) {
  return withGraph(files, async (project) => {
    await project.import();
    const paths = await project.rows(`SELECT e.key, string_agg(v.activity || ' ' || v.time, '; ' ORDER BY v.id)
FROM event AS v JOIN entity AS e ON e.id = v.entity_id GROUP BY e.key ORDER BY e.key`);
    const findings = await project.read((store) => findFindings(store, {}));
    return { paths, found: findings.filter((finding) => finding.kind === kind) };
  });
}

/** The damaged log has the finding; with the edit that its remedy names, the graph is that of the clean log. */
async function assertMended(
  kind: FindingKind,
  {
    clean,
    damaged,
    mend,
  }: { readonly clean: Files; readonly damaged: Files; mend(text: string, remedy: string): string },
): Promise<void> {
  const [whole, odd] = [await read(clean, kind), await read(damaged, kind)];
  assert.deepEqual([whole.found.length, odd.found.length], [0, 1]);
  assert.notDeepEqual(odd.paths, whole.paths);
  const remedy = odd.found[0]?.remedy ?? '';
  const mended = await read({ ...damaged, [graphFile]: mend(damaged[graphFile] ?? '', remedy) }, kind);
  assert.deepEqual(mended.found, []);
  assert.deepEqual(mended.paths, whole.paths);
}

/** Adds a field to the element of the damaged activity, or to all. */
function withField(text: string, field: string, elements: 'damaged' | 'all' = 'damaged'): string {
  const line =
    elements === 'all' ? /(?<=activityName: [\w ]+,)/g : new RegExp(`(?<=activityName: ${damagedActivity},)`);
  return text.replace(line, ` ${field},`);
}

describe('findings, once their remedy is followed', () => {
  const rows = (): LogRow[] => cleanLog(shape, 5);

  it('near-equal labels: activityNames, as the remedy writes them', async () => {
    const inject = injections['near-equal-labels'];
    assert.ok(inject);
    await assertMended('near-equal-labels', {
      clean: logFiles(rows(), shape),
      damaged: logFiles(inject(rows(), 0.05, randomFrom(3)), shape),
      mend: (text, remedy) => withField(text, /activityNames: \{.*?\}/.exec(remedy)?.[0] ?? ''),
    });
  });

  it('another time zone: timeZone of the element', async () => {
    const local = (csv: string): string =>
      csv.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
        new Date(Date.parse(time) + hourMs).toISOString().slice(0, 19).replace('T', ' '),
      );
    const clean = logFiles(rows(), shape);
    await assertMended('zone-shift', {
      clean,
      damaged: { ...clean, 'ship_order.csv': local(clean['ship_order.csv'] ?? '') },
      mend: (text) => withField(text, 'timeZone: Europe/Berlin'),
    });
  });

  it('the order of events of one time: sequence', async () => {
    // Their true order is in another column. The file names the later activity first.
    const numbered = (files: Files): Files =>
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => {
          const place = ['place', 'check', 'pack', 'ship', 'send', 'receive'].findIndex((word) =>
            name.startsWith(word),
          );
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
    const mended = await read(
      { ...damaged, [graphFile]: withField(damaged[graphFile] ?? '', 'sequence: step', 'all') },
      'same-time-order',
    );
    assert.deepEqual(mended.found, []);
    // The times of these events are not those of the clean log any more, but their order is.
    const order = ({ paths }: typeof odd): readonly string[] =>
      paths.map(([key, path]) => `${key} ${String(path).replaceAll(/ \d{4}-[^;]*/g, '')}`);
    const whole = await read(logFiles(rows(), shape), 'same-time-order');
    assert.deepEqual(order(mended), order(whole));
    assert.notDeepEqual(order(odd), order(whole));
  });
});
