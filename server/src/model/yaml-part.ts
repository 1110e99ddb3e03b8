import type { Node, Pair, Range } from 'yaml';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';
import { ownText } from './own-text.ts';
import { type Link, linksIn } from './yaml-links.ts';
import { type Steps, toEnd } from './steps.ts';
import { type YamlText, readingYaml } from './yaml-text.ts';

/** A part of a text that was parsed on its own. It may be moved at no cost: the places of its nodes follow. */
export class YamlPart implements SourceRange {
  /**
   * Reads a part piece by piece.
   * @param most words and signs: one with more is not read, and says so.
   */
  static *reading(text: string, start: number, most: number): Steps<YamlPart> {
    const yaml = yield* readingYaml(ownText(text), most, true);
    // To place what was read of a long part takes its time as well.
    yield;
    return new YamlPart(yaml, start, most);
  }

  readonly text: string;
  readonly node: Node | null;
  /** Relative to the start of the part. */
  readonly problems: readonly Problem[];
  /** Its anchors and aliases, in the order of the text. */
  readonly links: readonly Link[];

  private constructor(
    { text, document, problems }: YamlText,
    /** Where it stands now. */
    public start: number,
    private readonly most: number,
  ) {
    this.text = text;
    this.node = document.contents;
    this.problems = problems;
    this.links = linksIn(this.node, this.text);
    place(this.node, this);
  }

  /** The same, read once more. */
  again(): YamlPart {
    return toEnd(YamlPart.reading(this.text, this.start, this.most));
  }

  get end(): number {
    return this.start + this.text.length;
  }
}

/** The range of a node, counted from the start of its part. */
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
  // Ranges are read by their places in the list, which this has; nothing else of a list is asked of them.
  if (placed.range) placed.range = new PartRange(part, ...placed.range) as unknown as Range;
  for (const item of placed.items ?? []) {
    if ('key' in item) {
      place(item.key, part);
      place(item.value, part);
    } else place(item as Node, part);
  }
}
