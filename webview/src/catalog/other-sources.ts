import type { OtherSourceView } from '../../../protocol/canvas-intents.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { Ask } from '../request-channel.ts';

/** Reads the data sources beside that of the graph. */
export interface OtherSources {
  load(): void;
  /** Reads one that is not known, which may ask for its secrets. */
  read(dataSource: string): void;
  /** Asks again if the graph names other data sources than before. */
  follow(view: GraphView): void;
}

interface SourcesState {
  readonly otherSources: readonly OtherSourceView[];
  readonly readingSources: readonly string[];
}

export interface OtherSourcesOptions {
  readonly ask: Ask;
  state(): SourcesState;
  become(change: Partial<SourcesState>): void;
}

export function createOtherSources({ ask, state, become }: OtherSourcesOptions): OtherSources {
  /** Number of the latest question about all of them. */
  let turn = 0;
  let followed: string | undefined;

  async function load(): Promise<void> {
    turn += 1;
    const mine = turn;
    const outcome = await ask('otherSources', {});
    // In an untrusted workspace the other data sources stay unknown, as that of the graph does.
    if (mine === turn && outcome.ok) become({ otherSources: outcome.value });
  }

  async function read(dataSource: string): Promise<void> {
    const others = (): readonly string[] => state().readingSources.filter((name) => name !== dataSource);
    become({ readingSources: [...others(), dataSource] });
    const outcome = await ask('otherSources', { read: dataSource });
    // What else the answer says may be older than what is known.
    const answer = outcome.ok ? outcome.value.find((each) => each.dataSource === dataSource) : undefined;
    const otherSources = state().otherSources.map((each) => (answer && each.dataSource === dataSource ? answer : each));
    become({ readingSources: others(), otherSources });
  }

  return {
    load: () => void load(),
    read: (dataSource) => void read(dataSource),
    follow({ dataSource, dataSources }) {
      const named = JSON.stringify([dataSource, dataSources]);
      if (named === followed) return;
      followed = named;
      void load();
    },
  };
}
