import type { Node, Pair, Range } from 'yaml';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';
import { detachedText } from './detached-text.ts';
import { type Link, linksIn } from './yaml-links.ts';
import { type Steps, toEnd } from './steps.ts';
import { readOrdinaryEntry } from './ordinary-entry.ts';
import { readingYaml } from './yaml-text.ts';

/** An independently parsed part of a text. Moving it is free: node positions are relative. */
export class YamlPart implements SourceRange {
  /**
   * Parses a part in steps.
   * @param most maximum number of tokens: a larger part is skipped with a problem.
   */
  static *reading(text: string, start: number, most: number): Steps<YamlPart> {
    const own = detachedText(text);
    // A word or sign has at least one character, and an invisible one in the library's count.
    const node = own.length * 2 < most ? readOrdinaryEntry(own) : undefined;
    if (node) return new YamlPart({ text: own, node, problems: [] }, start, most);
    const yaml = yield* readingYaml(own, most, true);
    // Shifting the nodes of a long part takes time too.
    yield;
    return new YamlPart({ text: own, node: yaml.document.contents, problems: yaml.problems }, start, most);
  }

  readonly text: string;
  readonly node: Node | null;
  /** Relative to the start of the part. */
  readonly problems: readonly Problem[];
  /** Its anchors and aliases in text order. */
  readonly links: readonly Link[];

  private constructor(
    { text, node, problems }: Pick<YamlPart, 'text' | 'node' | 'problems'>,
    /** Its current position. */
    public start: number,
    private readonly most: number,
  ) {
    this.text = text;
    this.node = node;
    this.problems = problems;
    this.links = linksIn(this.node, this.text);
    place(this.node, this);
  }

  /** Parses it again. */
  again(): YamlPart {
    return toEnd(YamlPart.reading(this.text, this.start, this.most));
  }

  get end(): number {
    return this.start + this.text.length;
  }
}

/** The range of a node relative to its part. */
class PartRange {
  constructor(
    private readonly part: YamlPart,
    private readonly from: number,
    private readonly valueEnd: number,
    private readonly nodeEnd: number,
  ) {}

  get 0(): number {
    return this.part.start + this.from;
  }

  get 1(): number {
    return this.part.start + this.valueEnd;
  }

  get 2(): number {
    return this.part.start + this.nodeEnd;
  }

  *[Symbol.iterator](): Generator<number> {
    yield this[0];
    yield this[1];
    yield this[2];
  }
}

interface PlacedNode {
  range?: Range | null;
  readonly items?: readonly (Node | Pair<Node | null, Node | null>)[];
}

function place(node: Node | null, part: YamlPart): void {
  if (node === null) return;
  const placed = node as PlacedNode;
  // Ranges are read by index only, so this array-like object suffices.
  if (placed.range) placed.range = new PartRange(part, ...placed.range) as unknown as Range;
  for (const item of placed.items ?? []) {
    if ('key' in item) {
      place(item.key, part);
      place(item.value, part);
    } else place(item as Node, part);
  }
}
