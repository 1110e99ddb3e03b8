import type { RelatedEntities } from '../../../protocol/import-progress.ts';
import type { RelationshipView } from '../../../protocol/graph-view.ts';
import { t } from '../ui/translate.ts';

/** The result of the last import for a relationship in one line, such as `830 pairs · 95 % / 100 % matched`. */
export function pairsText({ pairs, source, target }: NonNullable<RelationshipView['imported']>): string {
  const count = pairs === 1 ? t('1 pair') : t('{0} pairs', pairs.toLocaleString('en'));
  if (!source || !target) return count;
  const isAll = [source, target].every(({ entities, related }) => related >= entities);
  const matched = isAll ? t('all matched') : t('{0} / {1} matched', shareText(source), shareText(target));
  return `${count} · ${matched}`;
}

/** For the tooltip: how many entities of each end found a partner. */
export function matchedTexts({ source, target }: NonNullable<RelationshipView['imported']>): readonly string[] {
  return [source, target]
    .filter((end) => end !== undefined)
    .map((end) =>
      t(
        '{0}: {1} of {2} entities matched ({3})',
        end.name,
        end.related.toLocaleString('en'),
        end.entities.toLocaleString('en'),
        shareText(end),
      ),
    );
}

/** Rounded to a whole per cent, but 0 % only for none and 100 % only for all. */
function shareText({ entities, related }: RelatedEntities): string {
  if (related <= 0) return '0 %';
  if (related >= entities) return '100 %';
  const share = Math.round((related / entities) * 100);
  if (share === 0) return '< 1 %';
  return share === 100 ? '> 99 %' : `${share} %`;
}
