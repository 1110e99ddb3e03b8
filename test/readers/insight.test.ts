import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Tokens } from 'marked';
import { copySample } from '../engine/samples-import.ts';
import { docPages, readSections } from '../support/doc-pages.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { type Answer, comparedAnswers, rowText } from '../support/insight-answers.ts';
import { insightFiles } from '../support/insight-graph.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { python, runProgram } from './tools.ts';

/**
 * Runs the Python blocks of the page over flat logs and prints the rows of each result: its index and its columns, times in
 * milliseconds. What pm4py finds in the first log is beside them.
 */
const program = `
import json, sys
import pandas as pd, pm4py

def read(file):
    log = pd.read_csv(file, parse_dates=["timestamp"], dtype={"case_id": str, "order_key": str})
    log["start"] = pd.to_datetime(log.get("start_timestamp", log["timestamp"]))
    return log

def plain(value):
    if isinstance(value, (list, tuple)): return ",".join(map(str, value))
    if isinstance(value, pd.Timedelta): return value / pd.Timedelta("1ms")
    if isinstance(value, pd.Timestamp): return value.date().isoformat()
    return value.item() if hasattr(value, "item") else value

def rows(result, nested):
    if isinstance(result, tuple): return [[plain(each) for each in result]]
    if isinstance(result, pd.Index): return [[plain(each)] for each in result]
    table = result.to_frame() if isinstance(result, pd.Series) else result
    found = []
    for index, row in zip(table.index, table.itertuples(index=False)):
        # The variant is a tuple, the index of several levels another one.
        levels = list(index) if nested else [index]
        found.append([plain(each) for each in [*levels, *row]])
    return found

def run(code, names):
    *before, last = code.strip().split("\\n")
    exec("\\n".join(before), names)
    result = eval(last, names)
    nested = getattr(result, "index", None) is not None and isinstance(result.index, pd.MultiIndex)
    return rows(result, nested)

def by_pm4py(log):
    renamed = log.sort_values(["case_id", "event_id"], kind="stable").rename(columns={"case_id": "case:concept:name", "activity": "concept:name"})
    # Simultaneous events keep their order: pm4py sorts by time.
    renamed["time:timestamp"] = renamed["start"] + pd.to_timedelta(renamed.groupby("case:concept:name").cumcount(), unit="ns")
    dfg, _, _ = pm4py.discover_dfg(renamed)
    variants = pm4py.get_variants(renamed)
    return {"steps": [[source, target, count] for (source, target), count in dfg.items()],
            "variants": [[",".join(variant), count if isinstance(count, int) else len(count)] for variant, count in variants.items()]}

asked = json.load(open(sys.argv[1]))
names = {"pd": pd, **{name: read(file) for name, file in asked["logs"].items()}}
names["cases"] = names["log"].groupby("case_id")
answers = {title: run(code, names) for title, code in asked["blocks"].items()}
print(json.dumps({"pandas": answers, "pm4py": by_pm4py(names["log"])}, default=str))
`;

type Rows = readonly (readonly unknown[])[];

interface Log {
  readonly name: string;
  /** Resolves to a folder. */
  prepare(): Promise<string>;
  readonly graph: string;
  readonly type: string;
  /** The property in place of `user`. */
  readonly user?: string;
  /** Logs of further types, by the name that the page gives them. */
  readonly others?: Readonly<Record<string, string>>;
}

const everyLog = [
  'Which step takes the most time?',
  'Who hands over to whom?',
  'What is done in batches?',
  'Where do objects meet and part?',
  'How much is in progress?',
];

const volvo = `${graphText(
  '  - { activityName: Handle, dataObject: log, key: SR Number, entityType: request, startTimestamp: Change Date+Time, activityColumn: Activity, properties: [{ column: Resource, name: resource }] }\n',
)}`;

const logs: readonly Log[] = [
  ...['', ', endTimestamp: done'].map((more): Log => ({
    name: `generated orders${more}`,
    prepare: () => folderWith(insightFiles(more)),
    graph: 'shop.entity.yaml',
    type: 'order',
    others: { deliveries: 'delivery', invoices: 'invoice' },
  })),
  {
    name: 'BPI Challenge 2013',
    async prepare() {
      const file = gunzipSync(await readFile(new URL('../data/bpic13_volvo_vinst.csv.gz', import.meta.url)));
      return folderWith({
        'entity-sources.yaml': csvSources(),
        'graph.entity.yaml': volvo,
        'log.csv': file.toString(),
      });
    },
    graph: 'graph.entity.yaml',
    type: 'request',
    user: 'resource',
  },
  sample('incidents', 'trail.entity.yaml', 'incident', 'assignment_group'),
  sample('order-to-cash', 'order-to-cash.entity.yaml', 'order'),
  sample('order-to-cash', 'order-to-cash.entity.yaml', 'delivery'),
];

function sample(folder: string, graph: string, type: string, user?: string): Log {
  return { name: `${folder}, ${type}`, prepare: () => copySample(folder), graph, type, ...(user && { user }) };
}

describe('docs/insight.md beside pandas and pm4py', function () {
  this.timeout(900_000);
  const sections = readSections(docPages().get('docs/insight.md') ?? '').map(({ title, tokens }) => {
    const block = (language: string): string =>
      (tokens as readonly Tokens.Code[]).find(({ type, lang }) => type === 'code' && lang === language)?.text ?? '';
    return { title, command: block('sh').split('\n')[0] ?? '', code: block('python') };
  });

  for (const { name, prepare, graph, type, user = 'user', others = {} } of logs) {
    it(`${name}: the commands answer as pandas and pm4py do`, async () => {
      const folder = await prepare();
      try {
        const run = async (...args: readonly string[]): Promise<string> => {
          const { code, stdout, stderr } = await runCommand([...args, '--workspace', folder], folder);
          assert.equal(code, 0, stderr + stdout);
          return stdout;
        };
        await run('import', graph, '--format', 'json');
        const files: Record<string, string> = {};
        for (const [log, of] of Object.entries({ log: type, ...others })) {
          files[log] = join(folder, `${log}-flat.csv`);
          await run('export', graph, '--as', 'csv-log', '--type', of, '--output', files[log] ?? '');
        }
        const isAsked = ({ title }: { readonly title: string }): boolean =>
          graph === 'shop.entity.yaml' ? comparedAnswers.some(([each]) => each === title) : everyLog.includes(title);
        const asked = sections.filter(isAsked);
        const renamed = (text: string): string => text.replaceAll('"user"', `"${user}"`);
        const blocks = Object.fromEntries(asked.map(({ title, code }) => [title, renamed(code)]));
        const question = join(folder, 'question.json');
        await writeFile(question, JSON.stringify({ logs: files, blocks }));
        const answered = await runProgram(await python(), ['-c', program, question], { cwd: folder });
        assert.equal(answered.code, 0, answered.stderr);
        const { pandas, pm4py } = JSON.parse(answered.stdout) as {
          readonly pandas: Readonly<Record<string, Rows>>;
          readonly pm4py: Readonly<Record<'steps' | 'variants', Rows>>;
        };
        const ask = async (words: readonly string[]): Promise<Answer> => {
          const limit = words[0] === 'analyze' ? [] : ['--limit', '1000000'];
          return JSON.parse(await run(...words, ...limit, '--format', 'json')) as Answer;
        };
        for (const { title, command } of asked) {
          const words = wordsOf(command).map((word) =>
            word.replace(/^shop\.entity\.yaml$/, graph).replace(/^user$/, user),
          );
          const isOfType = words.includes('--entity-type') ? [] : ['--entity-type', type];
          const typed = words.map((word) => (word === 'order' ? type : word));
          const answer = await ask([...typed, ...isOfType]);
          const ofAnswer = comparedAnswers.find(([each]) => each === title)?.[1] ?? assert.fail(title);
          assert.deepEqual(
            textsOf(ofAnswer(answer)),
            textsOf((pandas[title] ?? []).map(shapeOf[title] ?? ((row) => row))),
            title,
          );
        }
        const steps = await ask(['steps', graph, '--entity-type', type]);
        assert.deepEqual(
          textsOf((steps['steps'] ?? []).map(({ source, target, count }) => [source, target, count])),
          textsOf(pm4py.steps),
        );
        const variants = await ask(['variants', graph, '--entity-type', type]);
        assert.deepEqual(
          textsOf((variants['variants'] ?? []).map(({ entities, events }) => [events, entities])),
          textsOf(pm4py.variants.map(([variant, count]) => [String(variant).split(',').length, count])),
        );
      } finally {
        await removeFolder(folder);
      }
    });
  }
});

/** Columns of a result of pandas as `comparedAnswers` names them, where they differ. */
const shapeOf: Readonly<Record<string, (row: readonly unknown[]) => readonly unknown[]>> = {
  'What is delivered in parts?': ([key]) => [key],
  'Is a delay passed on?': ([, count, median]) => [count, median],
  // The number of the batch is not told.
  'What is done in batches?': ([activity, user, , events]) => [activity, user, events],
};

function textsOf(rows: Rows): readonly string[] {
  return rows.map(rowText).toSorted();
}

/** The words of a command after the name of the program. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
}
