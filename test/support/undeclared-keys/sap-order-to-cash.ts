import { type Cells, chance, csv, day, each, hour } from './table-files.ts';

/**
 * Order to cash of SAP ERP as a replication tool writes its tables: 19 CSV files with the names and columns of the public data
 * dictionary and rows made up here. Every value is a text as SAP stores it: the client in front, padded numbers, dates and
 * times in two columns, `00000000` for no date. Texts, customizing and change documents are there as in any such extract.
 */
export function sapOrderToCash(): Readonly<Record<string, string>> {
  const { below, of } = chance(19);
  const client = '800';
  const start = Date.UTC(2023, 9, 2, 6);
  const users = ['MMUELLER', 'JSCHMIDT', 'RFCUSER', 'KWAGNER', 'BATCH01'];
  const customers = each(60, (number) => pad(1000 + number * 3, 10));
  const materials = each(80, (number) => pad(100_000 + number * 7, 18));
  const plants = ['1000', '1100', '2000'];
  const companies = ['1000', '2000'];

  const kna1 = customers.map((kunnr, at): Cells => {
    const since = start - (900 - at * 9) * day;
    return [
      client,
      kunnr,
      of(['DE', 'AT', 'CH', 'FR']),
      `Customer ${at + 1}`,
      `City ${at % 17}`,
      pad(10_000 + at * 31, 5),
      of(users),
      date(since),
      of(['KUNA', 'CPD']),
      '',
    ];
  });
  const mara = materials.map((matnr, at): Cells => {
    const since = start - (1500 - at * 11) * day;
    return [
      client,
      matnr,
      date(since),
      of(users),
      at % 3 === 0 ? date(start + at * day) : none,
      of(['FERT', 'HAWA']),
      pad(at % 6, 9),
      'ST',
      (1 + at / 10).toFixed(3),
    ];
  });
  const makt = materials.flatMap((matnr, at): Cells[] =>
    ['D', 'E'].map((language) => [client, matnr, language, `Material ${at} ${language}`]),
  );

  const vbak: Cells[] = [];
  const vbap: Cells[] = [];
  const vbep: Cells[] = [];
  const vbpa: Cells[] = [];
  const likp: Cells[] = [];
  const lips: Cells[] = [];
  const vbrk: Cells[] = [];
  const vbrp: Cells[] = [];
  const vbfa: Cells[] = [];
  const bkpf: Cells[] = [];
  const bseg: Cells[] = [];
  const cdhdr: Cells[] = [];
  const cdpos: Cells[] = [];
  let change = 0;
  const numbersOfYear = new Map<string, number>();

  const changed = (type: string, object: string, table: string, field: string, at: number): void => {
    const number = pad(740_000 + ++change, 10);
    cdhdr.push([client, type, object, number, of(users), date(at), time(at), of(['VA02', 'VL02N', 'VF02']), 'U']);
    for (const name of [field, 'AEDAT'].slice(0, 1 + below(2)))
      cdpos.push([
        client,
        type,
        object,
        number,
        table,
        `${client}${object}`,
        name,
        'U',
        pad(below(900), 4),
        pad(below(900), 4),
      ]);
  };

  for (let order = 1; order <= 240; order++) {
    const vbeln = pad(4500 + order, 10);
    const at = start + order * 31 * hour + below(20_000) * 1000;
    const company = of(companies);
    const customer = of(customers);
    const payer = below(5) === 0 ? of(customers) : customer;
    const items = each(1 + below(4), (item) => ({
      posnr: pad(item * 10, 6),
      matnr: of(materials),
      amount: 1 + below(20),
      value: 10 + below(5000),
    }));
    const total = items.reduce((sum, { value }) => sum + value, 0);
    vbak.push([
      client,
      vbeln,
      date(at),
      time(at),
      of(users),
      date(at),
      'C',
      of(['TA', 'TA', 'SO', 'RE']),
      total.toFixed(2),
      'EUR',
      company,
      of(['10', '12']),
      date(at + (5 + below(9)) * day),
      below(3) === 0 ? date(at - below(4) * day) : none,
      customer,
      below(4) === 0 ? date(at + 3 * day) : none,
      company,
    ]);
    vbpa.push(
      ...['AG', 'WE', 'RE', 'RG'].map((role): Cells => [
        client,
        vbeln,
        '000000',
        role,
        role === 'RG' ? payer : customer,
      ]),
    );
    each(below(4), (step) => changed('VERKBELEG', vbeln, 'VBAK', 'VDATU', at + hour * (12 * step + below(10))));
    const delivered = order % 9 === 0 ? [] : items.filter(() => below(12) > 0);
    for (const { posnr, matnr, amount, value } of items) {
      const later = at + below(4) * 60_000;
      vbap.push([
        client,
        vbeln,
        posnr,
        matnr,
        `Item ${matnr.slice(-4)}`,
        'TAN',
        amount,
        value.toFixed(2),
        of(plants),
        date(later),
        time(later),
        of(users),
        '',
      ]);
      vbep.push([client, vbeln, posnr, '0001', date(at + (4 + below(9)) * day), amount]);
      if (below(6) === 0) vbep.push([client, vbeln, posnr, '0002', date(at + (20 + below(9)) * day), amount]);
    }
    if (delivered.length === 0) continue;
    // One order in eight has a first item that is delivered in two parts.
    const parts = order % 8 === 0 ? [delivered, delivered.slice(0, 1)] : [delivered];
    for (const [part, shipped] of parts.entries()) {
      const delivery = pad(80_000_000 + order * 4 + part, 10);
      const deliveredAt = at + (20 + below(90) + 90 * part) * hour;
      const issuedAt = deliveredAt + (4 + below(60)) * hour;
      const isIssued = order % 11 !== 0;
      likp.push([
        client,
        delivery,
        of(users),
        time(deliveredAt),
        date(deliveredAt),
        'LF',
        date(at + 6 * day),
        date(at + 5 * day),
        isIssued ? date(issuedAt) : none,
        customer,
        payer,
        of(['01', '02']),
        company,
      ]);
      if (below(5) === 0) changed('LIEFERUNG', delivery, 'LIKP', 'WADAT', deliveredAt + hour);
      shipped.forEach(({ posnr, matnr, amount }, index) => {
        const own = pad((index + 1) * 10, 6);
        lips.push([
          client,
          delivery,
          own,
          matnr,
          of(plants),
          of(users),
          time(deliveredAt),
          date(deliveredAt),
          amount,
          vbeln,
          posnr,
        ]);
        vbfa.push([client, vbeln, posnr, delivery, own, 'J', amount, date(deliveredAt), time(deliveredAt), 'C']);
      });
      if (!isIssued || order % 10 === 0) continue;

      const invoice = pad(90_000_000 + order * 5 + part, 10);
      const billedAt = issuedAt + (3 + below(70)) * hour;
      vbrk.push([
        client,
        invoice,
        'F2',
        'M',
        date(billedAt),
        of(users),
        date(billedAt),
        time(billedAt),
        payer,
        customer,
        total.toFixed(2),
        'EUR',
        company,
        '',
      ]);
      shipped.forEach(({ posnr, matnr, amount, value }, index) => {
        const own = pad((index + 1) * 10, 6);
        const before = own;
        vbrp.push([
          client,
          invoice,
          own,
          amount,
          value.toFixed(2),
          delivery,
          before,
          vbeln,
          posnr,
          matnr,
          of(plants),
          date(billedAt),
          time(billedAt),
          of(users),
        ]);
        vbfa.push([client, delivery, before, invoice, own, 'M', amount, date(billedAt), time(billedAt), 'J']);
      });

      const year = String(new Date(billedAt).getUTCFullYear());
      const range = `${company} ${year}`;
      const number = (numbersOfYear.get(range) ?? 0) + 1;
      numbersOfYear.set(range, number);
      const belnr = pad(90_000_000 + number, 10);
      const postedAt = billedAt + below(3) * hour;
      bkpf.push([
        client,
        company,
        belnr,
        year,
        'RV',
        date(billedAt),
        date(postedAt),
        date(postedAt),
        time(postedAt),
        of(users),
        'VF01',
        'VBRK',
        invoice,
        'EUR',
      ]);
      const isCleared = below(4) > 0;
      const lines = [
        ['001', 'S', payer, '0000140000'],
        ['002', 'H', '', '0000800000'],
        ['003', 'H', '', '0000175000'],
      ] as const;
      for (const [line, side, kunnr, account] of lines)
        bseg.push([
          client,
          company,
          belnr,
          year,
          line,
          side,
          (total * 1.19).toFixed(2),
          kunnr,
          account,
          side === 'S' && isCleared ? date(postedAt + (10 + below(40)) * day) : none,
          date(postedAt),
        ]);
    }
  }

  const files = {
    KNA1: csv('MANDT,KUNNR,LAND1,NAME1,ORT01,PSTLZ,ERNAM,ERDAT,KTOKD,LOEVM', kna1),
    MARA: csv('MANDT,MATNR,ERSDA,ERNAM,LAEDA,MTART,MATKL,MEINS,BRGEW', mara),
    MAKT: csv('MANDT,MATNR,SPRAS,MAKTX', makt),
    VBAK: csv(
      'MANDT,VBELN,ERDAT,ERZET,ERNAM,AUDAT,VBTYP,AUART,NETWR,WAERK,VKORG,VTWEG,VDATU,BSTDK,KUNNR,AEDAT,BUKRS_VF',
      vbak,
    ),
    VBAP: csv('MANDT,VBELN,POSNR,MATNR,ARKTX,PSTYV,KWMENG,NETWR,WERKS,ERDAT,ERZET,ERNAM,ABGRU', vbap),
    VBEP: csv('MANDT,VBELN,POSNR,ETENR,EDATU,WMENG', vbep),
    VBPA: csv('MANDT,VBELN,POSNR,PARVW,KUNNR', vbpa),
    LIKP: csv('MANDT,VBELN,ERNAM,ERZET,ERDAT,LFART,LFDAT,WADAT,WADAT_IST,KUNNR,KUNAG,VSBED,VKORG', likp),
    LIPS: csv('MANDT,VBELN,POSNR,MATNR,WERKS,ERNAM,ERZET,ERDAT,LFIMG,VGBEL,VGPOS', lips),
    VBRK: csv('MANDT,VBELN,FKART,VBTYP,FKDAT,ERNAM,ERDAT,ERZET,KUNRG,KUNAG,NETWR,WAERK,BUKRS,SFAKN', vbrk),
    VBRP: csv('MANDT,VBELN,POSNR,FKIMG,NETWR,VGBEL,VGPOS,AUBEL,AUPOS,MATNR,WERKS,ERDAT,ERZET,ERNAM', vbrp),
    VBFA: csv('MANDT,VBELV,POSNV,VBELN,POSNN,VBTYP_N,RFMNG,ERDAT,ERZET,VBTYP_V', vbfa),
    BKPF: csv('MANDT,BUKRS,BELNR,GJAHR,BLART,BLDAT,BUDAT,CPUDT,CPUTM,USNAM,TCODE,AWTYP,AWKEY,WAERS', bkpf),
    BSEG: csv('MANDT,BUKRS,BELNR,GJAHR,BUZEI,SHKZG,WRBTR,KUNNR,HKONT,AUGDT,ZFBDT', bseg),
    CDHDR: csv('MANDANT,OBJECTCLAS,OBJECTID,CHANGENR,USERNAME,UDATE,UTIME,TCODE,CHANGE_IND', cdhdr),
    CDPOS: csv('MANDANT,OBJECTCLAS,OBJECTID,CHANGENR,TABNAME,TABKEY,FNAME,CHNGIND,VALUE_NEW,VALUE_OLD', cdpos),
    T001: csv('MANDT,BUKRS,BUTXT,ORT01,WAERS', [
      [client, '1000', 'Company Nord', 'Hamburg', 'EUR'],
      [client, '2000', 'Company Sued', 'Wien', 'EUR'],
    ]),
    T001W: csv(
      'MANDT,WERKS,NAME1,BWKEY',
      plants.map((plant): Cells => [client, plant, `Plant ${plant}`, plant]),
    ),
    TVAKT: csv(
      'MANDT,SPRAS,AUART,BEZEI',
      ['TA', 'SO', 'RE'].flatMap((type) =>
        ['D', 'E'].map((language): Cells => [client, language, type, `${type} ${language}`]),
      ),
    ),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${name}.csv`, text]));
}

const none = '00000000';

function pad(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

function date(at: number): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
}

function time(at: number): string {
  return new Date(at).toISOString().slice(11, 19).replaceAll(':', '');
}
