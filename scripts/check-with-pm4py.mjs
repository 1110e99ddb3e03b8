#!/usr/bin/env node
/**
 * Reads the OCEL exports of samples with pm4py, the library that most people analyse such logs with, and compares its counts with what is written there, and its
 * object-centric directly-follows graph with our map of all types. Not part of the tests: it needs a Python with pm4py (`pip install pm4py`).
 *
 *     node scripts/build.mjs && node scripts/check-with-pm4py.mjs [--python PYTHON] FILE.entity.yaml…
 *
 * Every file must have been imported. Exits with 1 when anything differs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensurePythonReaders } from './python-readers.mjs';

const cli = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const { values, positionals: files } = parseArgs({ options: { python: { type: 'string' } }, allowPositionals: true });

/**
 * Prints the findings of each library for each log as JSON: reader → format → counts; for SQLite also pm4py's
 * validation.
 */
const program = `
import json, os, sys, tempfile
import pm4py
from pm4py.objects.ocel.importer.jsonocel import importer as from_json
from pm4py.objects.ocel.importer.sqlite import importer as from_sqlite
from pm4py.objects.ocel.importer.xmlocel import importer as from_xml
from pm4py.objects.ocel.validation import ocel20_rel_validation
import r4pm

# Where Rust4PM is installed, pm4py would leave reading to it: these are its own readers.
read = {
    'ocel-json': lambda path: from_json.apply(path, variant=from_json.Variants.OCEL20_STANDARD),
    'ocel-xml': lambda path: from_xml.apply(path, variant=from_xml.Variants.OCEL20),
    'ocel-sqlite': lambda path: from_sqlite.apply(path, variant=from_sqlite.Variants.OCEL20),
}

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

def pm4py_finds(form, path):
    log = read[form](path)
    found = {
        'events': len(log.events), 'entities': len(log.objects), 'correlations': len(log.relations),
        'relations': len(log.o2o), 'activities': sorted(log.events[log.event_activity].unique().tolist()),
        'types': sorted(log.objects[log.object_type_column].unique().tolist()), 'changes': len(log.object_changes),
    }
    if form == 'ocel-sqlite':
        held, failed = ocel20_rel_validation.apply(path)
        found['rules'] = {'held': len(held), 'failed': [str(each) for each in failed]}
    return found

def rust4pm_finds(form, path):
    log = r4pm.import_item('OCEL', path)
    with tempfile.TemporaryDirectory() as folder:
        written = os.path.join(folder, 'read.json')
        r4pm.export_item(log, written)
        with open(written, encoding='utf-8') as file:
            read = json.load(file)
    r4pm.remove_item(log)
    of_events = [each['objectId'] for event in read['events'] for each in event.get('relationships', [])]
    own = [each for each in read['objects'] if each['id'] in set(of_events)]
    values = [(each['id'], value) for each in read['objects'] for value in each.get('attributes', [])]
    return {
        'events': len(read['events']), 'entities': len(own), 'correlations': len(of_events),
        'relations': sum(len(each.get('relationships', [])) for each in read['objects']),
        'activities': sorted({event['type'] for event in read['events']}), 'types': sorted({each['type'] for each in own}),
        'values': len(values),
    }

found = {'pm4py': {}, 'Rust4PM': {}, 'ocdfg': ocdfg(read['ocel-json'](sys.argv[1]))}
for form, path in zip(sys.argv[2::2], sys.argv[3::2]):
    found['pm4py'][form] = pm4py_finds(form, path)
    found['Rust4PM'][form] = rust4pm_finds(form, path)
print(json.dumps(found))
`;

/** Expected findings of each library. */
function countsOf({ events, objects }, form) {
  const related = (all) => all.reduce((sum, { relationships }) => sum + relationships.length, 0);
  const values = objects.flatMap(({ id, attributes }) => attributes.map(({ name, time }) => ({ id, name, time })));
  // For text formats, pm4py uses the first listed value of an attribute as initial value, regardless of its time.
  const begun = new Set(values.map(({ id, name }) => JSON.stringify([id, name]))).size;
  const later = values.filter(({ time }) => !time.startsWith('1970-01-01T00:00:00')).length;
  // Objects without events are omitted.
  const ofEvents = new Set(events.flatMap(({ relationships }) => relationships.map(({ objectId }) => objectId)));
  const counts = {
    events: events.length,
    entities: ofEvents.size,
    correlations: related(events),
    relations: related(objects),
    activities: namesOf(events),
    types: namesOf(objects.filter(({ id }) => ofEvents.has(id))),
  };
  // pm4py leaves out objects without events, master data among them, and so their relations.
  const ownRelations = objects
    .filter(({ id }) => ofEvents.has(id))
    .flatMap(({ relationships }) => relationships.filter(({ objectId }) => ofEvents.has(objectId)));
  return {
    pm4py: {
      ...counts,
      relations: ownRelations.length,
      changes: form === 'ocel-sqlite' ? later : values.length - begun,
    },
    Rust4PM: { ...counts, values: values.length },
  };
}

/** Sorted like in Python. */
function namesOf(all) {
  const names = [...new Set(all.map(({ type }) => type))];
  return names.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

/** One line per library and format; returns whether all match. */
function compare(file, log, found) {
  const results = Object.entries(found).flatMap(([reader, forms]) =>
    Object.entries(forms).map(([form, { rules, ...counts }]) => {
      const expected = countsOf(log, form)[reader];
      const differs = Object.keys(expected).filter(
        (name) => JSON.stringify(counts[name]) !== JSON.stringify(expected[name]),
      );
      const failed = rules?.failed ?? [];
      const { events, entities, correlations, relations } = counts;
      console.log(
        `${basename(file)} ${form}, ${reader}: ${events} events, ${entities} objects, ${correlations} correlations, ${relations} relations` +
          (rules ? `; rules: ${rules.held} hold, ${failed.length} fail ${failed.join('; ')}` : '') +
          differs
            .map((name) => `; ${name} differs: ${JSON.stringify(counts[name])} of ${JSON.stringify(expected[name])}`)
            .join(''),
      );
      return differs.length === 0 && failed.length === 0;
    }),
  );
  return results.every(Boolean);
}

/** A line for each measure of the map of all types; whether pm4py counts the same. */
function compareMaps(file, ocdfg, folder) {
  const results = Object.entries(ocdfg).map(([measure, theirs]) => {
    const ours = ourMap(file, measure, folder);
    const wrong = [...differences(ours.activities, theirs.activities), ...differences(ours.paths, theirs.paths)];
    const size = `${Object.keys(ours.activities).length} activities, ${Object.keys(ours.paths).length} paths`;
    const result = wrong.length === 0 ? 'as pm4py counts them' : `differs in ${wrong.slice(0, 5).join('; ')}`;
    console.log(`${basename(file)} map of all types, ${measure}: ${size}, ${result}`);
    return wrong.length === 0;
  });
  return results.every(Boolean);
}

/** A copy of a log whose times strictly increase in the order of its events, because pm4py orders events of equal times differently. */
function writeStrictLog(log, path) {
  const events = log.events.map((event, index) => ({ ...event, time: new Date(1000 * (index + 1)).toISOString() }));
  writeFileSync(path, JSON.stringify({ ...log, events }));
}

/** The counts of the map of all types, in the format in which the program prints those of pm4py. */
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

/** Differences between two lists of counts, as `what: ours instead of theirs`. */
function differences(ours, theirs) {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  return names
    .filter((name) => (ours[name] ?? 0) !== (theirs[name] ?? 0))
    .map((name) => `${name}: ${ours[name] ?? 0} instead of ${theirs[name] ?? 0}`);
}

const forms = ['ocel-json', 'ocel-xml', 'ocel-sqlite'];

function check(file, python) {
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
    const ran = spawnSync(python, ['-c', program, strict, ...paths], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (ran.status !== 0) throw new Error(ran.stderr.trim().split('\n').at(-1) ?? ran.error?.message);
    const { ocdfg, ...found } = JSON.parse(ran.stdout.trim().split('\n').at(-1));
    const areMapsEqual = compareMaps(file, ocdfg, folder);
    return compare(file, log, found) && areMapsEqual;
  } catch (error) {
    console.log(`${basename(file)}: ${error.message}`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (files.length === 0)
  console.error('Name the entity graphs to export, such as samples/incidents/incidents.entity.yaml.');
const python = files.length === 0 ? '' : (values.python ?? (await ensurePythonReaders()));
const results = files.map((file) => check(file, python));
process.exitCode = files.length > 0 && results.every(Boolean) ? 0 : 1;
