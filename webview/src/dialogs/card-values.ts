import type {
  CanvasIntent,
  ElementPatch,
  ElementValues,
  MasterDataPatch,
  MasterDataValues,
  Patch,
} from '../../../protocol/canvas-intents.ts';
import type { CardView } from '../../../protocol/graph-view.ts';

/** The values of a dialog of an element or of master data; each has fields that the other never sets. */
export type CardValues = ElementValues & MasterDataValues;
export type CardPatch = Patch<CardValues>;

/** The change of an element or of master data. */
export function configureIntent({ id, isMasterData }: CardView, values: CardPatch): CanvasIntent {
  return isMasterData
    ? { kind: 'configureMasterData', entry: id, values: values as MasterDataPatch }
    : { kind: 'configureElement', element: id, values: values as ElementPatch };
}

/** The name by which queries refer to the values of a dialog. */
export function nameInQueries({ isMasterData }: CardView, values: CardValues): string | undefined {
  const { activityName, name, entityType, dataObject } = values;
  return isMasterData ? (name ?? entityType ?? dataObject) : activityName;
}

/** The values without rows that name nothing yet. */
export function withoutEmptyRows(values: CardValues): CardValues {
  const { correlatesWith, ...others } = values;
  const rows = correlatesWith?.filter(({ entityType, key, qualifier }) => entityType || key.length > 0 || qualifier);
  return rows === undefined || rows.length === 0 ? others : { ...others, correlatesWith: rows };
}
