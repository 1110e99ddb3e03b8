import { type Node, Pair, Scalar, YAMLSeq, isMap, isScalar, isSeq } from 'yaml';
import type { ListKey, YamlSection } from './yaml-section.ts';
import type { YamlPart } from './yaml-part.ts';

/** A key of the file with its value; of a list, each entry is a part of its own, and changes of one leave the others. */
export class LiveSection implements YamlSection {
  start: number;
  end: number;
  readonly indent?: number;
  readonly key?: ListKey;
  readonly isTentative?: true;
  /** The key, with its value unless that is a list of entries. */
  head: YamlPart;
  readonly items?: YamlPart[];
  private readonly list = new YAMLSeq();
  /** Whether each part of the list is one entry, as it is unless something is broken. */
  private isRegular = true;
  private readonly broken = new Set<YamlPart>();
  private readonly withLinks = new Set<YamlPart>();

  /** @param items the parts of its list, in the order of the text. */
  constructor(section: YamlSection, head: YamlPart, items?: YamlPart[]) {
    this.start = section.start;
    this.end = section.end;
    if (section.key) this.key = section.key;
    if (section.isTentative) this.isTentative = true;
    this.head = head;
    this.note(head);
    if (!items) return;
    this.indent = section.indent ?? 0;
    this.items = items;
    for (const part of items) this.note(part);
    this.fillList();
  }

  /** Puts parts in the place of others; the text grew by `distance` in between. */
  replace(first: number, end: number, parts: readonly YamlPart[], distance: number): void {
    const { items } = this;
    if (!items) return;
    const old = items.slice(first, end);
    const entries = parts.map(entriesOf);
    const staysRegular = this.isRegular && entries.every(({ length }) => length === 1);
    if (staysRegular) this.list.items.splice(first, old.length, ...entries.flat());
    items.splice(first, old.length, ...parts);
    for (const part of old) this.forget(part);
    for (const part of parts) this.note(part);
    for (let index = first + parts.length; index < items.length; index += 1) {
      const part = items[index];
      if (part) part.start += distance;
    }
    this.end += distance;
    if (!staysRegular) this.fillList();
  }

  move(distance: number): void {
    this.start += distance;
    this.end += distance;
    this.head.start += distance;
    for (const part of this.items ?? []) part.start += distance;
  }

  /** The parts with anchors or aliases, in the order of the text. */
  linked(): readonly YamlPart[] {
    return inOrder(this.withLinks);
  }

  /** Reads some of its parts again, whose text has stayed, but not what their aliases stand for. */
  readAgain(parts: ReadonlySet<YamlPart>): void {
    const anew = (part: YamlPart): YamlPart => {
      const read = part.again();
      this.forget(part);
      this.note(read);
      return read;
    };
    if (parts.has(this.head)) this.head = anew(this.head);
    if (!this.items?.some((item) => parts.has(item))) return;
    for (const [index, item] of this.items.entries()) if (parts.has(item)) this.items[index] = anew(item);
    this.fillList();
  }

  /** The parts that could not be read, in the order of the text. */
  faulty(): readonly YamlPart[] {
    return inOrder(this.broken);
  }

  /** The key with its value; where the section cannot be read, other keys are what the mistake makes of its lines. */
  pairs(): readonly Pair<Scalar, unknown>[] {
    const { node } = this.head;
    if (this.key) {
      this.placeList();
      return [new Pair(placedKey(this.key, this.start), this.list) as Pair<Scalar, unknown>];
    }
    if (!isMap(node)) return [];
    const pairs = node.items.filter((each) => isScalar(each.key)) as Pair<Scalar, unknown>[];
    // A lone colon is a key without a name to YAML, and no mistake.
    if (!this.items) return this.head.problems.length > 0 ? pairs.slice(0, 1) : pairs;
    const [pair] = pairs;
    if (!pair) return [];
    this.placeList();
    return [new Pair(pair.key, this.list) as Pair<Scalar, unknown>];
  }

  private note(part: YamlPart): void {
    if (part.problems.length > 0) this.broken.add(part);
    if (part.links.length > 0) this.withLinks.add(part);
  }

  private forget(part: YamlPart): void {
    this.broken.delete(part);
    this.withLinks.delete(part);
  }

  private fillList(): void {
    const entries = (this.items ?? []).map(entriesOf);
    this.isRegular = entries.every(({ length }) => length === 1);
    this.list.items = entries.flat();
  }

  private placeList(): void {
    const readable = (part: YamlPart): boolean => entriesOf(part).length > 0;
    const first = this.items?.find(readable)?.node?.range;
    const last = this.items?.findLast(readable)?.node?.range;
    this.list.range = first && last ? [first[0], last[1], last[2]] : null;
  }
}

function inOrder(parts: ReadonlySet<YamlPart>): readonly YamlPart[] {
  return [...parts].sort((left, right) => left.start - right.start);
}

/** A key that is not in the text. */
function placedKey(key: ListKey, at: number): Scalar {
  const scalar = new Scalar(key);
  scalar.range = [at, at, at];
  return scalar;
}

/** The entries of a list that a part holds. */
function entriesOf({ node }: YamlPart): readonly Node[] {
  return isSeq(node) && node.range ? (node.items as Node[]) : [];
}
