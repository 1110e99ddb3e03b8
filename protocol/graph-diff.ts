/** What an import changed against the one before it. */
export interface GraphDiff {
  readonly before: DiffedRun;
  readonly after: DiffedRun;
  /** Tables whose number of rows differs or not, in the order of the store. */
  readonly tables: readonly CountChange[];
  /** Activities by name; those of equal count are left out. */
  readonly activities: readonly CountChange[];
  readonly entities: readonly EntityChange[];
  readonly relations: readonly CountChange[];
  readonly schema: readonly SchemaChange[];
  /** Keys of the run before were made of values; in this one they are the texts of cells of files. */
  readonly keysBecameText?: true;
  /** False when nothing at all differs: counts, entities and schema. */
  readonly changed: boolean;
}

export interface DiffedRun {
  /** Absolute path of the store. */
  readonly store: string;
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  /** Set for a run of a slice, which is not comparable with a whole one. */
  readonly slice: boolean;
  /** SHA-256 of the entity graph's text, hexadecimal. */
  readonly configHash: string;
}

export interface CountChange {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** Entities of one type that are there in one run only, with a few of their keys. */
export interface EntityChange {
  readonly entityType: string;
  readonly before: number;
  readonly after: number;
  readonly added: number;
  readonly removed: number;
  readonly addedKeys: readonly string[];
  readonly removedKeys: readonly string[];
}

/** A property of an element that came, went, or has another type. */
export interface SchemaChange {
  readonly element: string;
  readonly property: string;
  /** Type in the store; absent when it was not there. */
  readonly before?: string;
  readonly after?: string;
}
