import { isScalar } from 'yaml';
import { pathOf } from '../../model/node-path.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { type YamlText, rangeOf } from '../../model/yaml-text.ts';
import { type Markdown, code, line } from '../markdown.ts';
import { type StepPath, toStepPath } from './scalar-place.ts';

/** An alias, which stands for the value of its anchor. */
interface AliasPlace extends StepPath {
  readonly range: SourceRange;
  /** The value of the anchor; empty for objects and lists. */
  readonly text: string;
  /** What the alias stands for, in words. */
  readonly says: Markdown;
}

/** The alias at an offset, end inclusive. */
export function aliasAt({ document, links, text }: YamlText, offset: number): AliasPlace | undefined {
  const alias = links.aliases.find(({ range }) => !!range && range[0] <= offset && offset <= range[1]);
  const path = alias && pathOf(document.contents, alias);
  const target = alias && links.target(alias);
  if (!alias || !path || !target) return undefined;
  const name = code(`*${alias.source}`);
  const atLine = text.slice(0, rangeOf(target).start).split('\n').length;
  const value = isScalar(target) ? String(target.value) : undefined;
  const says =
    value === undefined
      ? line`${name} is the value that is written at line ${atLine}.`
      : line`${name} is ${code(value)}, written at line ${atLine}.`;
  return { ...toStepPath(path), range: rangeOf(alias), text: value ?? '', says };
}
