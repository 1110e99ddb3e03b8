#!/usr/bin/env node
/**
 * Reads the OCEL exports of samples with pm4py, the library that most people analyse such logs with, and compares its counts with what is written there, and its
 * object-centric directly-follows graph with our map of all types. Not part of the tests: it needs a Python with pm4py (`pip install pm4py`).
 *
 *     node scripts/build.mjs && node scripts/check-with-pm4py.mjs [--python PYTHON] FILE.entity.yaml…
 *
 * Every file must have been imported.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const cli = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const { values, positionals: files } = parseArgs({
  options: { python: { type: 'string', default: 'python3' } },
  allowPositionals: true,
});

/** Prints the counts of each log that is named as JSON, and what pm4py's own check of a relational log says. The first log is that of `ocdfg`. */
const program = `
import json, sys, pm4py
read = {'ocel-json': pm4py.read_ocel2_json, 'ocel-xml': pm4py.read_ocel2_xml, 'ocel-sqlite': pm4py.read_ocel2_sqlite}
found = {}

def sizes(counted):
    return {key: len(value) for key, value in counted.items()}

def ocdfg(log):
    graph = pm4py.discover_ocdfg(log)
    measures = {'events': ('events', 'event_couples'), 'objects': ('unique_objects',) * 2, 'pairs': ('total_objects',) * 2}
    return {
        measure: {
            'activities': sizes(graph['activities_indep'][at_activities]),
            'paths': {
                json.dumps([*path, kind], ensure_ascii=False): len(rows)
                for kind, paths in graph['edges'][on_paths].items() for path, rows in paths.items()
            },
        }
        for measure, (at_activities, on_paths) in measures.items()
    }

found['ocdfg'] = ocdfg(read['ocel-json'](sys.argv[1]))
for form, path in zip(sys.argv[2::2], sys.argv[3::2]):
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

/** A copy of a log whose times strictly increase in the order of its events: of equal times, pm4py has an order of its own. */
function writeStrictLog(log, path) {
  const events = log.events.map((event, index) => ({ ...event, time: new Date(1000 * (index + 1)).toISOString() }));
  writeFileSync(path, JSON.stringify({ ...log, events }));
}

/** What the map of all types counts, in the form in which the program prints what pm4py counts. */
function ourMap(file, measure, folder) {
  const output = join(folder, 'map.svg');
  const options = ['--all-types', '--measure', measure, '--activities', '1', '--paths', '1', '--format', 'json'];
  const printed = execFileSync(process.execPath, [cli, 'map', file, '--output', output, ...options], { stdio: 'pipe' });
  const { activities, paths } = JSON.parse(printed.toString());
  return {
    activities: Object.fromEntries(activities.map(({ activity, count }) => [activity, count])),
    paths: Object.fromEntries(
      paths.map(({ source, target, entityType, count }) => [keyOf([source, target, entityType]), count]),
    ),
  };
}

/** A list as Python writes it in JSON. */
function keyOf(parts) {
  return `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`;
}

/** Where two counts differ, as `what: ours instead of theirs`. */
function differences(ours, theirs) {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  return names
    .filter((name) => (ours[name] ?? 0) !== (theirs[name] ?? 0))
    .map((name) => `${name}: ${ours[name] ?? 0} instead of ${theirs[name] ?? 0}`);
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
    const log = JSON.parse(readFileSync(paths[1], 'utf8'));
    const strict = join(folder, 'strict.json');
    writeStrictLog(log, strict);
    const ran = spawnSync(values.python, ['-c', program, strict, ...paths], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (ran.status !== 0) throw new Error(ran.stderr.trim().split('\n').at(-1));
    const found = JSON.parse(ran.stdout.trim().split('\n').at(-1));
    for (const [measure, theirs] of Object.entries(found.ocdfg)) {
      const ours = ourMap(file, measure, folder);
      const wrong = [...differences(ours.activities, theirs.activities), ...differences(ours.paths, theirs.paths)];
      isWrong ||= wrong.length > 0;
      const size = `${Object.keys(ours.activities).length} activities, ${Object.keys(ours.paths).length} paths`;
      const result = wrong.length === 0 ? 'as pm4py counts them' : `differs in ${wrong.slice(0, 5).join('; ')}`;
      console.log(`${basename(file)} map of all types, ${measure}: ${size}, ${result}`);
    }
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
