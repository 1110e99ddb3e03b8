import type { CatalogChange } from '../catalog-state.ts';
import type { GraphView } from '../graph-view.ts';
import type { ImportProgress } from '../import-progress.ts';
import { type Checked, flag, object, text } from '../shapes/shape.ts';

/** The parameters of each notification, client → server. */
export const clientNotifications = {
  'entityGraph/trustChanged': object({ trusted: flag }),
  /** Secrets were set, or their use was allowed: failed reads can be retried. */
  'entityGraph/secretsChanged': object({}),
  /** No canvas shows the graph any more. */
  'entityGraph/unfollowGraph': object({ uri: text }),
};

export type ClientNotifications = {
  readonly [M in keyof typeof clientNotifications]: Checked<(typeof clientNotifications)[M]>;
};

/** Notifications, server → client. */
export interface LanguageNotifications {
  'entityGraph/importProgress': { uri: string; progress: ImportProgress };
  /** The step of a request (`Reported`), such as `Connecting to db.example:5432` or the number of staged rows. */
  'entityGraph/requestProgress': { progressToken: string; message: string };
  /** A document's model changed. Without `view`, a canvas requests it. */
  'entityGraph/graphChanged': { uri: string; version: number; view?: GraphView };
  /** The catalog of a data source is being read, is known, or could not be read. */
  'entityGraph/catalogChanged': CatalogChange;
}
