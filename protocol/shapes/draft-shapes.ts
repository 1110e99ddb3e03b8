import { choice, list, object, optional, text } from './shape.ts';

/** The roles of columns in a first graph. */
export const draftRole = choice({
  case: true,
  activity: true,
  time: true,
  change: true,
  end: true,
  lifecycle: true,
  sequence: true,
  object: true,
  key: true,
  reference: true,
});

/** The choice of the user for a role. */
export const draftAnswer = object({ dataObject: text, role: draftRole, columns: list(text) });

/** A data source of a first graph beside the first one, in the same file. */
export const furtherSource = object({
  dataSource: text,
  /** Names of its data objects; default: those of the names for the whole draft that it has. */
  objects: optional(list(text)),
});
