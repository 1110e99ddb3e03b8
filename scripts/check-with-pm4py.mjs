#!/usr/bin/env node
/**
 * Reads the OCEL exports of samples with pm4py, the library that most people analyse such logs with, and compares its counts with what is written there. Not
 * part of the tests: it needs a Python with pm4py (`pip install pm4py`).
 *
 *     node scripts/build.mjs && node scripts/check-with-pm4py.mjs [--python PYTHON] FILE.entity.yaml…
 *
 * Every file must have been imported.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const cli = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const { values, positionals: files } = parseArgs({
  options: { python: { type: 'string', default: 'python3' } },
  allowPositionals: true,
});

/** Prints the counts of each log that is named as JSON, and what pm4py's own check of a relational log says. */
const program = `
import json, sys, pm4py
read = {'ocel-json': pm4py.read_ocel2_json, 'ocel-xml': pm4py.read_ocel2_xml, 'ocel-sqlite': pm4py.read_ocel2_sqlite}
found = {}
for form, path in zip(sys.argv[1::2], sys.argv[2::2]):
    log = read[form](path)
    found[form] = {
        'events': len(log.events), 'entities': len(log.objects), 'correlations': len(log.relations),
        'relations': len(log.o2o), 'activities': sorted(log.events[log.event_activity].unique().tolist()),
        'types': sorted(log.objects[log.object_type_column].unique().tolist()), 'changes': len(log.object_changes),
    }
    if form == 'ocel-sqlite':
        from pm4py.objects.ocel.validation import ocel20_rel_validation
        held, failed = ocel20_rel_validation.apply(path)
        found[form]['rules'] = {'held': len(held), 'failed': [str(each) for each in failed]}
print(json.dumps(found))
`;

/** What pm4py should find. */
function countsOf({ events, objects, eventTypes, objectTypes }, form) {
  const related = (all) => all.reduce((sum, { relationships }) => sum + relationships.length, 0);
  const values = objects.flatMap(({ id, attributes }) => attributes.map(({ name, time }) => ({ id, name, time })));
  // Of texts, pm4py takes the first value of an attribute for the one that the object began with, whatever its time.
  const begun = new Set(values.map(({ id, name }) => JSON.stringify([id, name]))).size;
  const later = values.filter(({ time }) => !time.startsWith('1970-01-01T00:00:00')).length;
  // Objects that no event has are left out.
  const ofEvents = new Set(events.flatMap(({ relationships }) => relationships.map(({ objectId }) => objectId)));
  return {
    events: events.length,
    entities: ofEvents.size,
    correlations: related(events),
    relations: related(objects),
    activities: eventTypes.map(({ name }) => name).toSorted(byCode),
    types: objectTypes.map(({ name }) => name).toSorted(byCode),
    changes: form === 'ocel-sqlite' ? later : values.length - begun,
  };
}

/** As Python sorts. */
function byCode(left, right) {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

const forms = ['ocel-json', 'ocel-xml', 'ocel-sqlite'];
let isWrong = files.length === 0;
if (isWrong) console.error('Name the entity graphs to export, such as samples/incidents/incidents.entity.yaml.');
if (spawnSync(values.python, ['-c', 'import pm4py']).status !== 0) {
  console.error(
    `${values.python} has no pm4py: install it with "pip install pm4py", or name another one with --python.`,
  );
  process.exit(2);
}
for (const file of files) {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-pm4py-'));
  try {
    const paths = forms.flatMap((form) => {
      const output = join(folder, `log.${form.replace('ocel-', '')}`);
      execFileSync(process.execPath, [cli, 'export', file, '--as', form, '--output', output], { stdio: 'pipe' });
      return [form, output];
    });
    const ran = spawnSync(values.python, ['-c', program, ...paths], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (ran.status !== 0) throw new Error(ran.stderr.trim().split('\n').at(-1));
    const found = JSON.parse(ran.stdout.trim().split('\n').at(-1));
    const log = JSON.parse(readFileSync(paths[1], 'utf8'));
    for (const form of forms) {
      const { rules, ...counts } = found[form];
      const expected = countsOf(log, form);
      const differs = Object.keys(expected).filter(
        (name) => JSON.stringify(counts[name]) !== JSON.stringify(expected[name]),
      );
      const failed = rules?.failed ?? [];
      isWrong ||= differs.length > 0 || failed.length > 0;
      console.log(
        `${basename(file)} ${form}: ${counts.events} events, ${counts.entities} objects, ${counts.correlations} correlations, ${counts.relations} relations, ${counts.changes} changes` +
          (rules ? `; rules: ${rules.held} hold, ${failed.length} fail ${failed.join('; ')}` : '') +
          (differs.length > 0 ? `; differs from the log in ${differs.join(', ')}` : ''),
      );
    }
  } catch (error) {
    isWrong = true;
    console.log(`${basename(file)}: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = isWrong ? 1 : 0;
