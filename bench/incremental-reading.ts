import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createEntryCache } from '../server/src/language/checks/entry-cache.ts';
import { validateEntityGraph } from '../server/src/language/validation/validate-graph.ts';
import type { SqlValidator } from '../server/src/language/sql/sql-validator.ts';
import { createGraphParser } from '../server/src/model/graph-parser.ts';
import { parseEntityGraph } from '../server/src/model/parse-model.ts';
import { loadPostgresqlValidator } from '../server/src/sql/postgresql-validator.ts';
import { catalog, sources } from '../test/unit/language/shop-catalog.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { largeGraph } from './language-service-file.ts';
import { besideFloor, median, printResults } from './measure.ts';

const sizes = isQuick ? [300, 1_000, 3_000, 10_000] : [300, 1_000, 3_000, 10_000, 50_000];
const keystrokes = 40;
/** Number of measurements: parsing 50,000 lines takes seconds. */
const maxAnew = (lines: number): number => Math.max(3, Math.min(keystrokes, Math.round(30_000 / lines)));

type Format = 'YAML' | 'JSON';

/** Processor time of a keystroke in milliseconds, because elapsed time depends on other load. */
interface Keystroke {
  readonly reading: number;
  readonly validation: number;
}

/** Cost of a keystroke with the incremental parser and the cached problems, and without each of them. */
export async function run(): Promise<readonly BenchResult[]> {
  const sqlValidator = await loadPostgresqlValidator();
  console.log(
    '  medians in ms of processor time | the whole by the YAML library | part by part, anew | only what changed',
  );
  return [
    ...sizes.map((lines) => measure(lines, 'YAML', sqlValidator)),
    ...sizes.slice(0, 4).map((lines) => measure(lines, 'JSON', sqlValidator)),
  ];
}

function measure(lines: number, format: Format, sqlValidator: SqlValidator): BenchResult {
  const known = { sources, catalog, sqlValidator };
  const yaml = largeGraph(lines).replace('dataSource: files', 'dataSource: shop');
  const start = format === 'YAML' ? yaml : JSON.stringify(parse(yaml), undefined, 2);
  const versions = typed(start, format);
  const size = `${lines.toLocaleString('en-US')} lines${format === 'YAML' ? '' : ', as JSON'}`;
  const rounds = maxAnew(lines);
  const whole = versions.slice(0, rounds).map((text) => {
    const [reading, parsed] = timed(() => parseEntityGraph(text));
    const [validation] = timed(() => validateEntityGraph({ text, parsed, ...known }));
    return { reading, validation };
  });
  const anew = versions.slice(0, rounds).map((text) => {
    const [reading, parsed] = timed(() => createGraphParser().parse(text));
    const [validation] = timed(() => validateEntityGraph({ text, parsed, ...known }));
    return { reading, validation };
  });
  const [parser, memo] = [createGraphParser(), createEntryCache()];
  validateEntityGraph({ text: start, parsed: parser.parse(start), memo, ...known });
  const changed = versions.map((text) => {
    const [reading, parsed] = timed(() => parser.parse(text));
    const [validation] = timed(() => validateEntityGraph({ text, parsed, memo, ...known }));
    return { reading, validation };
  });
  print(`${size}, reading`, [whole, anew, changed], 'reading');
  print(`${size}, validation`, [whole, anew, changed], 'validation');
  const both = besideFloor(changed.map(total), whole.map(total));
  const name = `${size}: reading and validation after a keystroke, beside doing both anew`;
  return { name, unit: 'ms', ...both, goal: '≤ 16 ms', ok: both.value <= 16 };
}

/** Texts after keystrokes in several elements, alternately breaking and fixing a key. */
function typed(start: string, format: Format): readonly string[] {
  const [key, added] =
    format === 'YAML' ? ['    entityType: order', '\n    x: 1'] : ['      "entityType": "order",', '\n      "x": 1,'];
  const places = [...start.matchAll(new RegExp(`^${key}$`, 'gm'))].map(({ index }) => index + key.length);
  return Array.from({ length: keystrokes }, (_, round) => {
    const place = places[Math.floor(((round >> 1) * 7919) % places.length)] ?? 0;
    return round % 2 === 0 ? `${start.slice(0, place)}${added}${start.slice(place)}` : start;
  });
}

function timed<T>(work: () => T): readonly [milliseconds: number, result: T] {
  const begin = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(begin);
  return [(user + system) / 1000, result];
}

function total({ reading, validation }: Keystroke): number {
  return reading + validation;
}

function print(name: string, ways: readonly (readonly Keystroke[])[], part: keyof Keystroke): void {
  const times = ways.map((way) => median(way.map((each) => each[part])).toFixed(1));
  console.log(`  ${name} | ${times.join(' | ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
