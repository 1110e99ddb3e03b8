import type {
  ElementPatch,
  ElementValues,
  MasterDataPatch,
  MasterDataValues,
  Patch,
} from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { cardTarget } from '../../../protocol/card-name.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import type { QueryTarget } from '../../../protocol/query-results.ts';
import { t } from '../ui/translate.ts';

/** The values of a dialog of an element or of master data; each has fields that the other never sets. */
export type CardValues = ElementValues & MasterDataValues;
export type CardPatch = Patch<CardValues>;

/** The change of an element or of master data. */
export function configureIntent({ id, isMasterData }: CardView, values: CardPatch): CanvasIntent {
  return isMasterData
    ? { kind: 'configureMasterData', entry: id, values: values as MasterDataPatch }
    : { kind: 'configureElement', element: id, values: values as ElementPatch };
}

/** The query of Test Query and Show Query in a dialog. An element without a name gets one for the query only. */
export function queryOf(
  card: CardView,
  values: CardValues,
  draft: CanvasIntent,
): { readonly target: QueryTarget; readonly draft: CanvasIntent } {
  const { activityName, name, entityType, dataObject = '' } = values;
  if (card.isMasterData) return { target: cardTarget(card, name ?? entityType ?? dataObject), draft };
  if (activityName?.trim()) return { target: cardTarget(card, activityName), draft };
  const given = t('Unnamed activity on {0}', dataObject);
  const named =
    draft.kind === 'configureElement' ? { ...draft, values: { ...draft.values, activityName: given } } : draft;
  return { target: cardTarget(card, given), draft: named };
}

/** The values without row correlations that are still empty. */
export function withoutEmptyRows(values: CardValues): CardValues {
  const { correlatesWith, ...others } = values;
  const rows = correlatesWith?.filter(({ entityType, key, qualifier }) => entityType || key.length > 0 || qualifier);
  return rows === undefined || rows.length === 0 ? others : { ...others, correlatesWith: rows };
}
