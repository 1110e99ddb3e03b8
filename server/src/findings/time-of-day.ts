/** How the times of the events of an element are spread over the day. */
export interface TimesOfDay {
  readonly total: number;
  /** Events at whole quarters of an hour, by minutes since midnight. */
  readonly quarters: ReadonlyMap<number, number>;
}

export interface DayFindings {
  /** Minutes since midnight, one or (with summer time) two, that have far more events than any other time. */
  readonly spike?: { readonly minutes: readonly number[]; readonly events: number } | undefined;
  /** Nearly all events are there: they are dates. */
  readonly areDates: boolean;
  /** Events at whole hours, without those of the spike. */
  readonly wholeHours: number;
  /** They are far more than those at other quarters. */
  readonly areRounded: boolean;
}

const leastEvents = 10;
const leastShare = 0.02;
/** How many times as many as at a usual whole hour. */
const spikeFactor = 8;
/** How many times as many as at the next hour, away from midnight in UTC. */
const aloneFactor = 4;
const dateShare = 0.99;
/** Events at whole hours beyond those at a quarter past or to. */
const roundedShare = 0.025;

/** Judges times of day. Pure. */
export function judgeTimesOfDay({ total, quarters }: TimesOfDay): DayFindings {
  const at = (minutes: number): number => quarters.get(minutes) ?? 0;
  const spike = spikeOf(total, quarters);
  const inSpike = new Set(spike?.minutes);
  const rest = total - (spike?.events ?? 0);
  const sumAt = (offset: number): number =>
    Array.from({ length: 24 }, (_, hour) => hour * 60 + offset)
      .filter((minutes) => !inSpike.has(minutes))
      .reduce((sum, minutes) => sum + at(minutes), 0);
  const wholeHours = sumAt(0);
  const besides = (sumAt(15) + sumAt(45)) / 2;
  return {
    spike,
    areDates: (spike?.events ?? 0) >= total * dateShare,
    wholeHours,
    areRounded: wholeHours >= leastEvents && wholeHours - besides >= rest * roundedShare && wholeHours >= 2 * besides,
  };
}

function spikeOf(total: number, quarters: ReadonlyMap<number, number>): DayFindings['spike'] {
  const hours = Array.from({ length: 24 }, (_, hour) => quarters.get(hour * 60) ?? 0).sort((one, other) => one - other);
  const usual = ((hours[11] ?? 0) + (hours[12] ?? 0)) / 2;
  const isHigh = (events: number): boolean =>
    events >= leastEvents && events >= total * leastShare && events >= spikeFactor * Math.max(1, usual);
  const [first, second, ...others] = [...quarters].sort((one, other) => other[1] - one[1]);
  if (!first || !isHigh(first[1])) return undefined;
  const apart = second === undefined ? 0 : Math.abs(first[0] - second[0]);
  const isPair = second !== undefined && isHigh(second[1]) && (apart === 60 || apart === 1380);
  const spikes = isPair ? [first, second] : [first];
  // Midnight of another zone is told by that no other hour is like it: people round times to the hours of their work.
  const next = (isPair ? others[0]?.[1] : second?.[1]) ?? 0;
  if (first[0] !== 0 && spikes.some(([, events]) => events < aloneFactor * next)) return undefined;
  return {
    minutes: spikes.map(([minutes]) => minutes).sort((one, other) => one - other),
    events: spikes.reduce((sum, [, events]) => sum + events, 0),
  };
}
