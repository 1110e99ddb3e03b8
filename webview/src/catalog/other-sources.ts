import type { CatalogState } from '../../../protocol/catalog-state.ts';
import type { OtherSourceView } from '../../../protocol/canvas-intents.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { Ask } from '../request-channel.ts';

/** Reads the data sources beside that of the graph. */
interface OtherSources {
  load(): void;
  /** Reads one that is not known, which may ask for its secrets. */
  read(dataSource: string): void;
  /** Stops reading one, for all surfaces. */
  stop(dataSource: string): void;
  /** Takes a state of a data source that the extension has sent. */
  told(dataSource: string, state: CatalogState): void;
  /** Asks again if the graph names other data sources than before. */
  follow(view: GraphView): void;
}

/** A data source that is being read. */
export interface ReadingSource {
  readonly dataSource: string;
  /** In the clock of `performance.now()`. */
  readonly since: number;
  readonly step?: string;
}

interface SourcesState {
  readonly otherSources: readonly OtherSourceView[];
  readonly readingSources: readonly ReadingSource[];
}

interface OtherSourcesOptions {
  readonly ask: Ask;
  state(): SourcesState;
  become(change: Partial<SourcesState>): void;
}

export function createOtherSources({ ask, state, become }: OtherSourcesOptions): OtherSources {
  /** Number of the latest question about all of them. */
  let turn = 0;
  let followed: string | undefined;
  /** Pending requests of this page. */
  const asked = new Set<string>();

  const othersThan = (dataSource: string): readonly ReadingSource[] =>
    state().readingSources.filter((each) => each.dataSource !== dataSource);

  async function load(): Promise<void> {
    turn += 1;
    const mine = turn;
    const outcome = await ask('otherSources', {});
    // In an untrusted workspace the other data sources stay unknown, as that of the graph does.
    if (mine === turn && outcome.ok) become({ otherSources: outcome.value });
  }

  async function read(dataSource: string): Promise<void> {
    if (asked.has(dataSource)) return;
    asked.add(dataSource);
    become({ readingSources: [...othersThan(dataSource), { dataSource, since: performance.now() }] });
    const outcome = await ask('otherSources', { read: dataSource });
    asked.delete(dataSource);
    // The other fields of the answer may be older than the current state.
    const answer = outcome.ok ? outcome.value.find((each) => each.dataSource === dataSource) : undefined;
    const otherSources = state().otherSources.map((each) => (answer && each.dataSource === dataSource ? answer : each));
    become({ readingSources: othersThan(dataSource), otherSources });
  }

  return {
    load: () => void load(),
    read: (dataSource) => void read(dataSource),
    stop: (dataSource) => void ask('stopReading', { dataSource }),
    told(dataSource, now) {
      if (now.kind === 'reading') {
        const reading = { dataSource, since: performance.now() - now.elapsedMs, step: now.step };
        become({ readingSources: [...othersThan(dataSource), reading] });
      } else if (!asked.has(dataSource)) {
        become({ readingSources: othersThan(dataSource) });
        void load();
      }
    },
    follow({ dataSource, dataSources }) {
      const named = JSON.stringify([dataSource, dataSources]);
      if (named === followed) return;
      followed = named;
      void load();
    },
  };
}
