import type { FindingSearch } from './finding-kind.ts';
import { almostKey } from './kinds/almost-key.ts';
import { batchBursts } from './kinds/batch-bursts.ts';
import { changingAttribute } from './kinds/changing-attribute.ts';
import { divergingEvents } from './kinds/diverging-events.ts';
import { dominantEntity } from './kinds/dominant-entity.ts';
import { duplicateEvents } from './kinds/duplicate-events.ts';
import { durationOutliers } from './kinds/duration-outliers.ts';
import { explodedKeys } from './kinds/exploded-keys.ts';
import { lateArrivals } from './kinds/late-arrivals.ts';
import { nearEqualLabels } from './kinds/near-equal-labels.ts';
import { numberGaps } from './kinds/number-gaps.ts';
import { orderAnomalies } from './kinds/order-anomalies.ts';
import { sameTimeOrder } from './kinds/same-time-order.ts';
import { sharedEvents } from './kinds/shared-events.ts';
import { timeGap } from './kinds/time-gap.ts';
import { datesBesideTimes, midnightTimes, wholeHours } from './kinds/times-of-day.ts';
import { truncatedCases } from './kinds/truncated-cases.ts';
import { zoneShift } from './kinds/zone-shift.ts';

/** Every kind. Some leave out what those before them explain. */
export const findingSearches: readonly FindingSearch[] = [
  dominantEntity,
  sameTimeOrder,
  midnightTimes,
  datesBesideTimes,
  wholeHours,
  duplicateEvents,
  nearEqualLabels,
  batchBursts,
  zoneShift,
  durationOutliers,
  orderAnomalies,
  timeGap,
  truncatedCases,
  numberGaps,
  lateArrivals,
  explodedKeys,
  almostKey,
  changingAttribute,
  sharedEvents,
  divergingEvents,
];
