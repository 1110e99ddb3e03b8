import { type Scalar, isScalar } from 'yaml';
import type { SourceRange } from '../../model/source-range.ts';
import { type YamlText, parseYaml } from '../../model/yaml-text.ts';
import { type Repair, cursorMark, repairs } from './repairs.ts';
import { type ScalarPlace, type ScalarStyle, type StepPath, findScalar, styleOf, toStepPath } from './scalar-place.ts';

/** The cursor's position in a possibly broken text, and the range that a completion replaces. */
export interface CursorPlace extends StepPath {
  /** In a key, the path of the containing object; in a value, that of the value. */
  readonly in: 'key' | 'value';
  /** The typed text without quotes. */
  readonly replace: SourceRange;
  /** Start of the whole key or value, possibly on an earlier line. */
  readonly start: number;
  /** Text to insert before the completion, such as a blank after a colon. */
  readonly lead: string;
  /** Text to insert after the completion, such as a missing closing quote. */
  readonly tail: string;
  readonly style: ScalarStyle;
  /** In flow style, where commas separate items. */
  readonly inFlow: boolean;
  /** Only indentation and dashes precede it on its line. */
  readonly startsLine: boolean;
  /** Number of columns between the line's indentation and the position. */
  readonly extraIndent: number;
  /** The other keys of the containing object. */
  readonly siblings: readonly string[];
  /** The repaired text, with a cursor mark. */
  readonly repaired: YamlText;
}

/** The position of a cursor; undefined in comments and where neither key nor value is possible. */
export function cursorPlace(text: string, offset: number): CursorPlace | undefined {
  let best: Found | undefined;
  const tried = new Set<string>();
  for (const repair of repairs(text, offset)) {
    if (tried.has(repair.text)) continue;
    tried.add(repair.text);
    const found = findMark(repair);
    if (found && (!best || found.faults < best.faults)) best = found;
    if (best?.faults === 0) break;
  }
  return best && best.faults < muchWorse ? toCursorPlace(best, text, offset) : undefined;
}

interface Found {
  readonly repair: Repair;
  readonly repaired: YamlText;
  readonly place: ScalarPlace;
  readonly faults: number;
}

function findMark(repair: Repair): Found | undefined {
  const repaired = parseYaml(repair.text);
  const { contents, errors } = repaired.document;
  const place = findScalar(contents, (scalar) => String(scalar.value).includes(cursorMark));
  if (!place) return undefined;
  const [start = 0, end = 0] = place.scalar.range ?? [];
  // A multi-line plain scalar or key has swallowed its neighbours.
  const swallows = styleOf(place.scalar) !== 'block' && repair.text.slice(start, end).includes('\n');
  return { repair, repaired, place, faults: errors.length + (swallows ? muchWorse : 0) };
}

/** Such a repair is worse than errors elsewhere in the text. */
const muchWorse = 1000;

function toCursorPlace({ repair, repaired, place }: Found, text: string, offset: number): CursorPlace {
  const { scalar, role, map, inFlow } = place;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const replace = withinLine(replaceRange(scalar, repair, offset), text, offset);
  const before = text.slice(lineStart, replace.start);
  const mark = repair.text.indexOf(cursorMark);
  const keys = map?.items.flatMap(({ key }) => (isScalar(key) && key !== scalar ? [String(key.value)] : []));
  return {
    ...toStepPath(role === 'key' ? place.path.slice(0, -1) : place.path),
    in: role,
    replace,
    start: repair.replaceFrom ?? offset - Math.max(0, mark - (scalar.range?.[0] ?? mark)),
    lead: repair.lead,
    tail: repair.tail,
    style: styleOf(scalar),
    inFlow,
    startsLine: /^\s*(- *)*$/.test(before),
    extraIndent: before.length - (/^\s*/.exec(before)?.[0].length ?? 0),
    siblings: keys ?? [],
    repaired,
  };
}

/** The typed range, in offsets of the original text. */
function replaceRange(scalar: Scalar, repair: Repair, offset: number): SourceRange {
  if (repair.replaceFrom !== undefined) return { start: repair.replaceFrom, end: offset };
  const style = styleOf(scalar);
  const quote = style === 'single' || style === 'double' ? 1 : 0;
  const [start, end] = scalar.range ?? [0, 0];
  const mark = repair.text.indexOf(cursorMark);
  // With a prefix, nothing is typed yet: the mark starts the scalar.
  const typed = Math.max(0, mark - start - quote);
  return { start: offset - typed, end: offset + Math.max(0, end - quote - mark - 1) };
}

/** Completions may replace a single line only. */
function withinLine({ start, end }: SourceRange, text: string, offset: number): SourceRange {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const next = text.slice(offset).search(/[\r\n]/);
  const lineEnd = next < 0 ? text.length : offset + next;
  return { start: Math.max(start, lineStart), end: Math.min(end, lineEnd) };
}
