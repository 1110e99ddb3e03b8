import type { Problem } from './problem.ts';
import { type YamlText, rangeOf } from './yaml-text.ts';

/**
 * Unresolvable and exponentially growing aliases, which the library reports only when values are read.
 * @param options.isPrivate names are not quoted: they may be meant as values
 */
export function aliasMistakes(
  { links }: YamlText,
  { isPrivate = false }: { readonly isPrivate?: boolean } = {},
): readonly Problem[] {
  const unknown = links.aliases.filter((alias) => links.target(alias) === undefined);
  const mistakes = unknown.map((alias) => {
    const message = `${isPrivate ? 'This name' : `"*${alias.source}"`} refers to no anchor above it. Put the value in quotes when it starts with "*".`;
    return mistake(message, alias);
  });
  return mistakes.length > 0 || !links.isTooLarge ? mistakes : tooManyAliases(links);
}

function tooManyAliases({ aliases, target }: YamlText['links']): readonly Problem[] {
  // An alias follows its anchor, so every cycle contains an alias inside its own anchor.
  const endless = aliases.find((alias) => {
    const meant = target(alias);
    return meant && rangeOf(alias).start < rangeOf(meant).end;
  });
  if (endless) {
    const message = `"*${endless.source}" stands within "&${endless.source}", so it would have no end. Write the value out.`;
    return [mistake(message, endless)];
  }
  const message = 'The aliases of this file expand beyond the limit. Replace some of them by their values.';
  return aliases.slice(0, 1).map((alias) => mistake(message, alias));
}

function mistake(message: string, alias: Parameters<typeof rangeOf>[0]): Problem {
  return { code: 'yaml-syntax', severity: 'error', message, range: rangeOf(alias) };
}
