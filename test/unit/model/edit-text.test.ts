import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { editText } from '../../../server/src/model/edits/edit-text.ts';
import type { JsonObject, JsonValue } from '../../../server/src/model/edits/json-value.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { countSoak, soakRuns } from '../../support/soak.ts';
import { tooManyAliases } from '../../support/too-many-aliases.ts';

/** The text after a change of its meaning; fails when the change is refused. */
function edited(text: string, change: (value: Record<string, JsonValue>) => void): string {
  const outcome = editText({ text }, (value) => {
    const copy = structuredClone(value) as Record<string, JsonValue>;
    change(copy);
    return copy;
  });
  assert.ok('edits' in outcome, JSON.stringify(outcome));
  return applyEdits(text, outcome.edits);
}

const commented = `# Incidents
version: 1   # the format
name: 'Incidents'
dataObjects: [incident,  problem] # both

elements:
  # the clerks' side
  - activityName: "Open Incident" # verb first
    dataObject: incident
    x-owner: me
    where: |
      # not SQL
      incident.active = true

  # what comes after
  - dataObject: problem   # unnamed

relationships: []
`;

type Entry = Record<string, JsonValue>;
const entry = (value: JsonValue | undefined, index: number): Entry => (value as Entry[])[index] as Entry;

describe('text edits', () => {
  const cases: readonly (readonly [string, (value: Entry) => void, string, string])[] = [
    [
      'a text keeps its quotes and its comment',
      (value) => void (entry(value['elements'], 0)['activityName'] = 'Take Incident'),
      `"Open Incident" # verb first`,
      `"Take Incident" # verb first`,
    ],
    [
      'a new key goes where the format has it',
      (value) => void (entry(value['elements'], 0)['startTimestamp'] = 'opened_at'),
      `    dataObject: incident\n`,
      `    dataObject: incident\n    startTimestamp: opened_at\n`,
    ],
    [
      'a block of SQL stays a block',
      (value) => void (entry(value['elements'], 0)['where'] = 'a = 1\nAND b = 2\n'),
      `      # not SQL\n      incident.active = true\n`,
      `      a = 1\n      AND b = 2\n`,
    ],
    [
      'a key goes with its line alone',
      (value) => void delete entry(value['elements'], 0)['x-owner'],
      `    x-owner: me\n`,
      ``,
    ],
    [
      'the first key of an entry makes room for the next',
      (value) => void delete entry(value['elements'], 0)['activityName'],
      `- activityName: "Open Incident" # verb first\n    dataObject: incident`,
      `- dataObject: incident`,
    ],
    [
      'an item of a list in brackets',
      (value) => void (value['dataObjects'] = ['incident', 'task', 'problem']),
      `[incident,  problem]`,
      `[incident, task,  problem]`,
    ],
    [
      'the last item in brackets goes with its comma',
      (value) => void (value['dataObjects'] = ['incident']),
      `[incident,  problem]`,
      `[incident]`,
    ],
    [
      'an entry goes with its lines and its comment; one blank line stays',
      (value) => void (value['elements'] = (value['elements'] as JsonValue[]).slice(1)),
      commented.slice(commented.indexOf('  # the clerks'), commented.indexOf('  # what comes')),
      `\n`,
    ],
    [
      'an entry is added with the distance that entries have',
      (value) => void (value['elements'] = [...(value['elements'] as JsonValue[]), { dataObject: 'task' }]),
      `  - dataObject: problem   # unnamed\n`,
      `  - dataObject: problem   # unnamed\n\n  - dataObject: task\n`,
    ],
    [
      'the first entry takes the place of empty brackets',
      (value) =>
        void (value['relationships'] = [{ source: 'A', target: 'B', mappings: [{ source: 'a', target: 'b' }] }]),
      `relationships: []\n`,
      `relationships:\n  - source: A\n    target: B\n    mappings:\n      - { source: a, target: b }\n`,
    ],
    [
      'a missing group is added in its place',
      (value) => void (value['dataSource'] = 'itsm'),
      `name: 'Incidents'\n`,
      `name: 'Incidents'\ndataSource: itsm\n`,
    ],
  ];
  for (const [name, change, from, to] of cases) {
    it(name, () => {
      assert.ok(commented.includes(from));
      assert.equal(edited(commented, change), commented.replace(from, to));
    });
  }

  it('keep the line endings of the file', () => {
    const text = commented.replaceAll('\n', '\r\n');
    const result = edited(text, (value) => {
      entry(value['elements'], 0)['properties'] = ['a', 'b'];
      entry(value['elements'], 0)['joins'] = 'JOIN a\nJOIN b\n';
    });
    assert.doesNotMatch(result, /[^\r]\n/);
    assert.match(result, /properties: \[a, b\]\r\n {4}joins: \|\r\n {6}JOIN a\r\n {6}JOIN b\r\n {4}x-owner/);
  });

  it('emptying a block list removes the comments of its items', () => {
    const result = edited(commented, (value) => void (value['elements'] = []));
    assert.match(result, /\nelements:\n+ {2}\[\]\n\nrelationships/);
    const others = commented.replace("  # the clerks' side\n", '  # ---- clerks ----\n\n');
    assert.match(
      edited(others, (value) => void (value['elements'] = [])),
      /\nelements:\n {2}# ---- clerks ----\n+ {2}\[\]\n/,
    );
  });

  const removals: readonly (readonly [string, (value: Entry) => void, string, string])[] = [
    [
      'an entry goes with the comments directly above and inside it',
      (value) => void (value['elements'] as JsonValue[]).splice(1, 1),
      'elements:\n  # list\n\n  # one\n  - a: 1\n  # two,\n  # in two lines\n  - a: 2 # two\n    # the end of two\n  # three\n  - a: 3\n',
      'elements:\n  # list\n\n  # one\n  - a: 1\n  # three\n  - a: 3\n',
    ],
    [
      'the last entry of a file goes with its comments',
      (value) => void (value['elements'] as JsonValue[]).pop(),
      'elements:\n  - a: 1\n  # two\n  - a: 2\n    # end',
      'elements:\n  - a: 1',
    ],
    [
      'headings and regions stay, with what is above them',
      (value) => void (value['elements'] as JsonValue[]).shift(),
      'elements:\n  # region Orders\n  # one\n  - a: 1\n  - a: 2\n    # endregion\n',
      'elements:\n  # region Orders\n  # one\n  - a: 2\n    # endregion\n',
    ],
    [
      'a comment with another indentation or behind a blank line stays',
      (value) => void (value['elements'] as JsonValue[]).splice(1, 1),
      'elements:\n  - a: 1\n# margin\n  - a: 2\n\n    # apart\n  - a: 3\n',
      'elements:\n  - a: 1\n# margin\n\n    # apart\n  - a: 3\n',
    ],
    [
      'a field goes with the comment above it, but not with that of the file',
      (value) => {
        delete value['name'];
        delete entry(value['elements'], 0)['where'];
      },
      '# The file\nname: N\nelements:\n  - a: 1\n    # only paid ones\n    where: |\n      paid\n    # the key\n    key: id\n',
      '# The file\nelements:\n  - a: 1\n    # the key\n    key: id\n',
    ],
    [
      'comments of a rule that is switched off go with the field',
      (value) => void delete entry(value['elements'], 0)['key'],
      'elements:\r\n  - a: 1\r\n    # entity-graph-disable-next-line missing-key\r\n    key: id\r\n    b: 2\r\n',
      'elements:\r\n  - a: 1\r\n    b: 2\r\n',
    ],
  ];
  for (const [name, change, from, to] of removals) it(name, () => assert.equal(edited(from, change), to));

  it('write JSON into JSON', () => {
    const text = JSON.stringify(parse(commented), null, 2);
    const result = edited(text, (value) => {
      entry(value['elements'], 0)['startTimestamp'] = 'opened_at';
      value['elements'] = [...(value['elements'] as JsonValue[]), { dataObject: 'task' }];
    });
    assert.deepEqual(JSON.parse(result), parse(result));
    assert.match(result, /"dataObject": "incident",\n {6}"startTimestamp": "opened_at",\n {6}"x-owner"/);
    assert.match(result, /\n {4}\},\n {4}\{\n {6}"dataObject": "task"\n {4}\}\n {2}\],/);
  });

  it('keep an anchor that is used elsewhere', () => {
    const text =
      'elements:\n  - where: &active active = true\n    dataObject: a\n  - dataObject: b\n    where: *active\n';
    const outcome = editText({ text }, (value) => ({
      ...value,
      elements: [(value['elements'] as JsonValue[])[1] ?? null],
    }));
    assert.ok('refusal' in outcome && outcome.refusal.includes('anchor'));
    const changed = edited(text, (value) => void (entry(value['elements'], 1)['where'] = 'x = 1'));
    assert.equal(changed, text.replace('*active', 'x = 1'));
  });

  it('refuse an unreadable text', () => {
    const outcome = editText({ text: 'elements: [' }, (value) => value);
    assert.ok('refusal' in outcome);
  });
});

const samples = readdirSync('samples', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.entity\.ya?ml$/.test(name))
  .map((name) => readFileSync(join('samples', name), 'utf8'));

const text = fc.oneof(
  fc.constantFrom(
    'a',
    'Open Incident',
    'x: y',
    '# no comment',
    'true',
    '12',
    "it's",
    'a, b',
    '[x]',
    '- y',
    ' lead',
    'é ✓',
  ),
  fc.constantFrom('SELECT 1\nFROM t\n', 'two\nlines', 'ends\n\n', '  indented\nless', 'tab\there', 'a\r\nb'),
  fc.string({ maxLength: 12 }),
);
const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const key = fc.constantFrom('activityName', 'where', 'joins', 'properties', 'key', 'mappings', 'source', 'x-a', 'name');
const value = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(key, tie('node'), { maxKeys: 4 }) as fc.Arbitrary<JsonValue>,
  ),
})).node;

/** Changes one value somewhere in a structure. */
function changeSomewhere(root: JsonValue, path: readonly number[], replacement: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return replacement ?? null;
  if (Array.isArray(root)) {
    const items = root as JsonValue[];
    if (items.length === 0) return [replacement ?? null];
    const index = step % items.length;
    if (rest.length === 0 && step % 3 === 0) return items.toSpliced(index, 0, replacement ?? null);
    if (rest.length === 0 && replacement === undefined) return items.toSpliced(index, 1);
    return items.with(index, changeSomewhere(items[index] ?? null, rest, replacement));
  }
  if (typeof root !== 'object' || root === null) return replacement ?? null;
  const entries = Object.entries(root);
  const found = entries[step % Math.max(1, entries.length)];
  if (!found || (rest.length === 0 && step % 5 === 0)) return { ...root, 'x-new': replacement ?? 'new' };
  const [name] = found;
  if (rest.length === 0 && replacement === undefined && entries.length > 1) {
    return Object.fromEntries(entries.filter(([each]) => each !== name));
  }
  return { ...root, [name]: changeSomewhere(found[1] as JsonValue, rest, replacement) };
}

describe('text edits with aliases', () => {
  const add = (text: string): ReturnType<typeof editText> => editText({ text }, (value) => ({ ...value, name: 'A' }));

  it('are refused for dangling and circular aliases, and too many', () => {
    for (const wrong of ['x-a: *a\n', 'x-a: &a { x-b: *a }\n', tooManyAliases]) {
      const outcome = add(`version: 1\n${wrong}`);
      assert.match('refusal' in outcome ? outcome.refusal : '', /^The file cannot be read at the moment/, wrong);
    }
  });

  it('support an alias used more than a thousand times', () => {
    const text = `version: 1\nx-a: &a [1]\nx-all:\n${'  - *a\n'.repeat(1_500)}`;
    assert.ok('edits' in add(text));
  });
});

describe('random text edits', () => {
  it('give the requested meaning, and keep every comment', () => {
    let refused = 0;
    let runs = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...samples, commented, commented.replaceAll('\n', '\r\n')),
        fc.array(fc.tuple(fc.array(fc.nat(60), { minLength: 2, maxLength: 5 }), fc.option(value, { nil: undefined })), {
          minLength: 1,
          maxLength: 4,
        }),
        (start, changes) => {
          let now = start;
          for (const [path, replacement] of changes) {
            const outcome = editText({ text: now }, (graph) => changeSomewhere(graph, path, replacement) as JsonObject);
            runs += 1;
            if ('refusal' in outcome) refused += 1;
            else {
              // The requested effect is compared inside; here: comments on lines of their own survive all edits around
              // them.
              const removed = outcome.edits.map(({ range }) => now.slice(range.start, range.end)).join('\n');
              const after = applyEdits(now, outcome.edits);
              for (const line of now.split(/\r?\n/).filter((each) => /^#|^ {2}# (the clerks|what comes)/.test(each))) {
                assert.ok(after.includes(line) || removed.includes(line), line);
              }
              now = after;
            }
          }
        },
      ),
      soakRuns(75, 1 / 2),
    );
    assert.ok(refused <= runs * 0.1, `${refused} of ${runs} changes were refused`);
    countSoak(runs);
  });

  it('round-trip any value', () => {
    let tried = 0;
    fc.assert(
      fc.property(fc.dictionary(key, value, { minKeys: 1 }), fc.boolean(), (wanted, json) => {
        tried += 1;
        const start = json ? '{\n  "version": 1\n}\n' : 'version: 1\nelements:\n  - a: 1\n';
        const outcome = editText({ text: start }, (graph) => ({ ...graph, 'x-value': wanted as JsonValue }));
        assert.ok('edits' in outcome, JSON.stringify(wanted));
      }),
      soakRuns(100, 1 / 2),
    );
    countSoak(tried);
  });
});
