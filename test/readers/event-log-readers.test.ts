import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { queryDuckDb } from '../engine/samples-import.ts';
import { runCli } from '../support/run-cli.ts';
import { xesTraces } from '../support/xes-faults.ts';
import { type ImportedSamples, importSamples, sampleGraphs } from './imported-samples.ts';
import { python, runProgram } from './tools.ts';

/**
 * For each pair of logs, the XES as read by each of pm4py's readers, and the CSV: the activities of each case. Rust4PM
 * writes what it has read.
 */
const program = `
import html, json, pandas, pm4py, r4pm, sys
from pm4py.objects.log.importer.xes import importer
found = []
for xes, csv in zip(sys.argv[1::2], sys.argv[2::2]):
    read = []
    for variant in (importer.Variants.ITERPARSE, importer.Variants.CHUNK_REGEX):
        path = xes
        if variant == importer.Variants.CHUNK_REGEX:
            # It decodes blocks of 4 KiB each by itself, and fails where a character is in two of them.
            path = xes + '.ascii.xes'
            with open(xes, encoding='utf-8') as text, open(path, 'wb') as ascii:
                ascii.write(text.read().encode('ascii', 'xmlcharrefreplace'))
        log = importer.apply(path, variant=variant, parameters={'show_progress_bar': False})
        log = pm4py.convert_to_event_log(log)
        # The second reader takes the file apart with a regular expression and leaves the escapes of XML as they are.
        plain = html.unescape if variant == importer.Variants.CHUNK_REGEX else str
        read.append([[plain(trace.attributes['concept:name']), [plain(event['concept:name']) for event in trace]] for trace in log])
    frame = pandas.read_csv(csv, dtype=str, keep_default_na=False)
    frame['timestamp'] = pandas.to_datetime(frame['timestamp'], format='ISO8601')
    frame = pm4py.format_dataframe(frame, case_id='case_id', activity_key='activity', timestamp_key='timestamp')
    log = pm4py.convert_to_event_log(frame)
    read.append([[trace.attributes['concept:name'], [event['concept:name'] for event in trace]] for trace in log])
    r4pm.export_item(r4pm.import_item('EventLog', xes), xes + '.rust.xes')
    found.append(read)
print(json.dumps(found))
`;

type Cases = readonly (readonly [key: string, activities: readonly string[]])[];

describe('event logs of the samples', function () {
  this.timeout(600_000);
  let samples: ImportedSamples;

  before(async () => {
    samples = await importSamples();
  });
  after(() => samples.remove());

  for (const [, graph] of sampleGraphs) {
    it(`${graph}: pm4py and Rust4PM read the cases of every entity type`, async () => {
      const store = samples.store(graph);
      // Entities without events, such as materials, are not cases.
      const types = await queryDuckDb(
        'SELECT DISTINCT entity_type AS name FROM entity JOIN event_entity ON entity_id = entity.id ORDER BY 1',
        store,
      );
      assert.ok(types.length > 0);
      const folder = dirname(samples.file(graph));
      const paths: string[] = [];
      for (const [number, { name }] of types.entries()) {
        for (const form of ['xes', 'csv-log']) {
          const path = join(folder, `${number}.${form}`);
          const args = ['--as', form, '--type', String(name), '--output', path];
          const run = await runCli(['export', samples.file(graph), ...args]);
          assert.equal(run.code, 0, run.stderr);
          paths.push(path);
        }
      }
      const run = await runProgram(await python(), ['-c', program, ...paths]);
      assert.equal(run.code, 0, run.stderr);
      const found = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as readonly (readonly Cases[])[];
      for (const [number, { name }] of types.entries()) {
        const stored = sorted(await storedCases(store, String(name)));
        assert.ok(stored.length > 0);
        const rust = xesTraces(await readFile(`${paths[2 * number]}.rust.xes`, 'utf8'));
        const byRust = rust.map(
          (trace) => [trace.name, trace.events.map((event) => event['concept:name'] ?? '')] as const,
        );
        for (const cases of [...(found[number] ?? []), byRust]) assert.deepEqual(sorted(cases), stored, String(name));
      }
    });
  }
});

async function storedCases(store: string, type: string): Promise<Cases> {
  const rows = await queryDuckDb(
    `SELECT key, list(activity ORDER BY event.id) AS activities
     FROM (SELECT DISTINCT entity_id, event_id FROM event_entity) AS pair JOIN entity ON entity.id = pair.entity_id JOIN event ON event.id = pair.event_id
     WHERE entity_type = '${type}' GROUP BY entity.id, key`,
    store,
  );
  return rows.map(({ key, activities }) => [String(key), activities as readonly string[]]);
}

/** Cases sorted, their events in order. */
function sorted(cases: Cases): Cases {
  return cases.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
}
