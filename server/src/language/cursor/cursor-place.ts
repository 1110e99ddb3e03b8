import { type Scalar, isScalar } from 'yaml';
import type { SourceRange } from '../../model/source-range.ts';
import { type YamlText, parseYaml } from '../../model/yaml-text.ts';
import { type Repair, cursorMark, repairs } from './repairs.ts';
import { type ScalarPlace, type ScalarStyle, type StepPath, findScalar, styleOf, toStepPath } from './scalar-place.ts';

/** Where the cursor stands in a text, however broken, and what a completion there replaces. */
export interface CursorPlace extends StepPath {
  /** In a key, the path is that of the object around it; in a value, that of the value. */
  readonly in: 'key' | 'value';
  /** What is being typed, without quotes around it. */
  readonly replace: SourceRange;
  /** Where the whole of the key or value begins, on a line above perhaps. */
  readonly start: number;
  /** Text that must come before what is inserted, such as the space after a colon. */
  readonly lead: string;
  /** Text that must come behind it, such as the quote that is not closed yet. */
  readonly tail: string;
  readonly style: ScalarStyle;
  /** Inside braces or brackets, where commas separate. */
  readonly inFlow: boolean;
  /** Nothing but indentation and dashes stands before it on its line. */
  readonly startsLine: boolean;
  /** Columns between the indentation of the line and the place. */
  readonly extraIndent: number;
  /** Keys that the object around a key already has, the one being typed left out. */
  readonly siblings: readonly string[];
  /** The text with the half-typed thing made whole, the mark of the cursor in it. */
  readonly repaired: YamlText;
}

/** The place of a cursor; undefined inside a comment and wherever else no key or value can stand. */
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
  // A plain text or key that runs on over lines has swallowed its neighbours.
  const swallows = styleOf(place.scalar) !== 'block' && repair.text.slice(start, end).includes('\n');
  return { repair, repaired, place, faults: errors.length + (swallows ? muchWorse : 0) };
}

/** Worse than the mistakes that may stand elsewhere in the text. */
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

/** From the start of what is typed to its end, in offsets of the text as it is. */
function replaceRange(scalar: Scalar, repair: Repair, offset: number): SourceRange {
  if (repair.replaceFrom !== undefined) return { start: repair.replaceFrom, end: offset };
  const style = styleOf(scalar);
  const quote = style === 'single' || style === 'double' ? 1 : 0;
  const [start, end] = scalar.range ?? [0, 0];
  const mark = repair.text.indexOf(cursorMark);
  // With a lead, nothing is typed yet: the mark starts the scalar.
  const typed = Math.max(0, mark - start - quote);
  return { start: offset - typed, end: offset + Math.max(0, end - quote - mark - 1) };
}

/** Editors take no completion that replaces more than one line. */
function withinLine({ start, end }: SourceRange, text: string, offset: number): SourceRange {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const next = text.slice(offset).search(/[\r\n]/);
  const lineEnd = next < 0 ? text.length : offset + next;
  return { start: Math.max(start, lineStart), end: Math.min(end, lineEnd) };
}
