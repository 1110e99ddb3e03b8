#!/usr/bin/env node
/**
 * Reads the OCEL exports of samples with pm4py and Rust4PM, the libraries that most people analyse such logs with, and compares their counts with what is
 * written there. Both are installed into `.cache/`, unless another Python that has them is named.
 *
 *     node scripts/build.mjs && node scripts/check-with-pm4py.mjs [--python PYTHON] FILE.entity.yaml…
 *
 * Every file must have been imported. Exits with 1 when anything differs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

found = {'pm4py': {}, 'Rust4PM': {}}
for form, path in zip(sys.argv[1::2], sys.argv[2::2]):
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
  return {
    pm4py: { ...counts, changes: form === 'ocel-sqlite' ? later : values.length - begun },
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

const forms = ['ocel-json', 'ocel-xml', 'ocel-sqlite'];

function check(file, python) {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-pm4py-'));
  try {
    const paths = forms.flatMap((form) => {
      const output = join(folder, `log.${form.replace('ocel-', '')}`);
      execFileSync(process.execPath, [cli, 'export', file, '--as', form, '--output', output], { stdio: 'pipe' });
      return [form, output];
    });
    const ran = spawnSync(python, ['-c', program, ...paths], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (ran.status !== 0) throw new Error(ran.stderr.trim().split('\n').at(-1) ?? ran.error?.message);
    return compare(file, JSON.parse(readFileSync(paths[1], 'utf8')), JSON.parse(ran.stdout.trim().split('\n').at(-1)));
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
