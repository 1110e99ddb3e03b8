import { type Node, Pair, Scalar, YAMLSeq, isMap, isScalar, isSeq } from 'yaml';
import type { ListKey, YamlSection } from './yaml-section.ts';
import type { YamlPart } from './yaml-part.ts';

/** A top-level field; each list entry is a separate part, so that changes of one keep the others. */
export class IncrementalSection implements YamlSection {
  start: number;
  end: number;
  readonly indent?: number;
  readonly key?: ListKey;
  readonly isTentative?: true;
  /** The key, with its value unless that is a list of entries. */
  head: YamlPart;
  readonly items?: YamlPart[];
  private readonly list = new YAMLSeq();
  /** Whether each part of the list is one entry, which holds without errors. */
  private isRegular = true;
  private readonly broken = new Set<YamlPart>();
  private readonly withLinks = new Set<YamlPart>();

  /** @param items the parts of its list in text order. */
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

  /** Replaces parts; the text grew by `distance`. */
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

  /** The parts with anchors or aliases in text order. */
  linked(): readonly YamlPart[] {
    return inOrder(this.withLinks);
  }

  /** Parses some of its unchanged parts again, with their former alias targets. */
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

  /** The unreadable parts in text order. */
  faulty(): readonly YamlPart[] {
    return inOrder(this.broken);
  }

  /** The key with its value; in an unreadable section other keys result from the error. */
  pairs(): readonly Pair<Scalar, unknown>[] {
    const { node } = this.head;
    if (this.key) {
      this.placeList();
      return [new Pair(placedKey(this.key, this.start), this.list) as Pair<Scalar, unknown>];
    }
    if (!isMap(node)) return [];
    const pairs = node.items.filter((each) => isScalar(each.key)) as Pair<Scalar, unknown>[];
    // In YAML a lone colon is a valid empty key.
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

/** A key without a position in the text. */
function placedKey(key: ListKey, at: number): Scalar {
  const scalar = new Scalar(key);
  scalar.range = [at, at, at];
  return scalar;
}

/** The list entries in a part. */
function entriesOf({ node }: YamlPart): readonly Node[] {
  return isSeq(node) && node.range ? (node.items as Node[]) : [];
}
