import { type Cells, chance, csv, day, each, hour, isoDay, isoTime } from './table-files.ts';

/**
 * 31 tables of AdventureWorks, Microsoft's public sample of an OLTP database, as CSV files without its keys: sales, purchasing,
 * production and staff, with rows made up here. Nearly every key counts from 1, so that any small number is "contained" in many
 * keys; every table has a ModifiedDate.
 */
export function adventureWorks(): Readonly<Record<string, string>> {
  const { below, of } = chance(2014);
  const start = Date.UTC(2011, 4, 31);
  const guid = (): string => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
  const hex = (length: number): string => each(length, () => of([...'0123456789ABCDEF'])).join('');
  const modified = (at: number): string => isoTime(at);
  const loaded = isoTime(Date.UTC(2008, 3, 30));

  const countries = ['AU', 'CA', 'DE', 'FR', 'GB', 'US'];
  const territories = each(
    10,
    (id) => [id, `Territory ${id}`, of(countries), of(['North America', 'Europe', 'Pacific'])] as const,
  );
  const provinces = each(40, (id): Cells => [
    id,
    `S${id}`,
    of(countries),
    0,
    `State ${id}`,
    1 + below(10),
    guid(),
    loaded,
  ]);
  const addresses = each(300, (id): Cells => [
    id,
    `${id} Main Street`,
    '',
    `City ${below(60)}`,
    1 + below(40),
    String(10_000 + below(80_000)),
    guid(),
    modified(start + below(900) * day),
  ]);
  const employees = each(60, (id): Cells => {
    const hired = Date.UTC(2006, 5, 30) + below(2000) * day;
    return [
      id,
      String(100_000_000 + below(899_999_999)),
      `adventure-works\\user${id}`,
      below(4),
      of(['Buyer', 'Production Technician', 'Sales Representative', 'Engineer']),
      isoDay(Date.UTC(1960, 0, 1) + below(9000) * day),
      of(['S', 'M']),
      of(['M', 'F']),
      isoDay(hired),
      below(99),
      below(80),
      guid(),
      modified(Date.UTC(2014, 5, 30)),
    ];
  });
  const sellers = each(14, (number) => 20 + number);
  const buyers = each(9, (number) => 40 + number);
  const departments = each(16, (id): Cells => [
    id,
    `Department ${id}`,
    of(['Manufacturing', 'Sales and Marketing']),
    loaded,
  ]);
  const shifts: Cells[] = [
    [1, 'Day', '07:00:00', '15:00:00', loaded],
    [2, 'Evening', '15:00:00', '23:00:00', loaded],
    [3, 'Night', '23:00:00', '07:00:00', loaded],
  ];
  const placements = each(60, (id) => id).flatMap((id): Cells[] => {
    const since = Date.UTC(2008, 0, 6) + below(1000) * day;
    const first = 1 + below(16);
    const moved = id % 7 === 0;
    const row = (department: number, from: number, to?: number): Cells => [
      id,
      department,
      1 + below(3),
      isoDay(from),
      to === undefined ? '' : isoDay(to),
      modified(from),
    ];
    return moved
      ? [row(first, since, since + 500 * day), row(1 + (first % 16), since + 501 * day)]
      : [row(first, since)];
  });
  const stores = each(40, (number) => 292 + number * 2);
  const people = [...each(60, (id) => id), ...each(250, (number) => 500 + number)].map((id): Cells => [
    id,
    id <= 60 ? 'EM' : 'IN',
    0,
    '',
    `First ${below(90)}`,
    `Last ${below(120)}`,
    below(3),
    guid(),
    modified(start + below(900) * day),
  ]);
  const shoppers = each(250, (number) => 500 + number);
  const customers = each(200, (number) => {
    const isStore = number % 5 === 0;
    return {
      id: 11_000 + number,
      person: isStore ? undefined : shoppers[number],
      store: isStore ? of(stores) : undefined,
      territory: 1 + below(10),
    };
  });
  const products = each(120, (number) => ({
    id: 680 + number * 2,
    category: number % 9 === 0 ? undefined : 1 + below(37),
  }));
  const vendors = each(50, (number) => 1492 + number * 2);
  const offers = each(16, (id): Cells => [
    id,
    `Offer ${id}`,
    `0.${id}0`,
    of(['Volume Discount', 'No Discount']),
    isoTime(start + id * 20 * day),
    isoTime(start + (id * 20 + 400) * day),
    guid(),
    modified(start),
  ]);
  const offered = [...new Set(products.flatMap(({ id }) => [`1 ${id}`, `${2 + below(15)} ${id}`]))].map((pair) =>
    pair.split(' ').map(Number),
  );
  const cards = each(190, (number): Cells => [
    5000 + number,
    of(['Vista', 'Distinguish', 'ColonialVoice']),
    String(11_110_000_000_000 + below(999_999_999)),
    1 + below(12),
    2005 + below(4),
    modified(start + below(900) * day),
  ]);
  const rates = each(150, (id): Cells => [
    id,
    isoTime(start + id * 4 * day),
    'USD',
    of(['EUR', 'GBP', 'AUD']),
    (0.5 + below(900) / 1000).toFixed(4),
    (0.5 + below(900) / 1000).toFixed(4),
    modified(start + id * 4 * day),
  ]);
  const reasons = each(10, (id): Cells => [id, `Reason ${id}`, of(['Other', 'Marketing', 'Promotion']), loaded]);

  const orders: Cells[] = [];
  const lines: Cells[] = [];
  const whys: Cells[] = [];
  let line = 0;
  for (let number = 1; number <= 400; number++) {
    const id = 43_658 + number;
    const at = start + Math.floor(number / 2) * day;
    const customer = of(customers);
    const isOnline = customer.store === undefined;
    const shipped = number > 388 ? '' : isoTime(at + 7 * day);
    const total = 100 + below(90_000) / 10;
    orders.push([
      id,
      8,
      isoTime(at),
      isoTime(at + 12 * day),
      shipped,
      shipped === '' ? 1 : 5,
      isOnline ? 1 : 0,
      `SO${id}`,
      isOnline ? '' : `PO${below(99_999_999)}`,
      `10-4020-${pad(id - 43_000)}`,
      customer.id,
      isOnline ? '' : of(sellers),
      customer.territory,
      1 + below(300),
      1 + below(300),
      isOnline ? 1 : 5,
      of(cards)[0],
      below(3) === 0 ? 1 + below(150) : '',
      total.toFixed(4),
      (total / 10).toFixed(4),
      (total / 40).toFixed(4),
      (total * 1.125).toFixed(4),
      guid(),
      modified(at + 7 * day),
    ]);
    for (const [offer, product] of new Set(each(1 + below(4), () => of(offered)))) {
      const tracking = isOnline ? '' : `${hex(4)}-${hex(4)}-${hex(2)}`;
      lines.push([
        id,
        ++line,
        tracking,
        1 + below(6),
        product,
        offer,
        (2 + below(30_000) / 10).toFixed(4),
        '0.00',
        (2 + below(90_000) / 10).toFixed(6),
        guid(),
        modified(at),
      ]);
    }
    if (isOnline)
      for (const reason of new Set(each(1 + below(2), () => 1 + below(10)))) whys.push([id, reason, modified(at)]);
  }

  const purchases: Cells[] = [];
  const purchased: Cells[] = [];
  const supplied = [
    ...new Set(products.slice(0, 80).flatMap(({ id }) => each(1 + below(2), () => `${id} ${of(vendors)}`))),
  ].map((pair) => pair.split(' ').map(Number));
  each(220, (id) => {
    const at = start + 40 * day + id * 3 * day;
    const [, vendor] = of(supplied);
    const isOpen = id > 205;
    purchases.push([
      id,
      1,
      isOpen ? 1 : 4,
      of(buyers),
      vendor,
      1 + below(5),
      isoTime(at),
      isOpen ? '' : isoTime(at + 9 * day),
      (100 + below(9000)).toFixed(4),
      '8.00',
      '3.00',
      modified(at + 9 * day),
    ]);
    for (let item = 0; item <= below(4); item++)
      purchased.push([
        id,
        purchased.length + 1,
        isoTime(at + 14 * day),
        3 + below(550),
        of(supplied)[0],
        (1 + below(700) / 10).toFixed(4),
        '20.00',
        '3.00',
        '0.00',
        modified(at + 9 * day),
      ]);
  });

  const work: Cells[] = [];
  const routings: Cells[] = [];
  const transactions: Cells[] = [];
  each(300, (id) => {
    const product = of(products).id;
    const at = start + 3 * day + id * 2 * day + below(3) * day;
    const scrapped = below(9) === 0;
    work.push([
      id,
      product,
      1 + below(90),
      scrapped ? 1 + below(4) : 0,
      isoTime(at),
      id > 290 ? '' : isoTime(at + (9 + below(6)) * day),
      isoTime(at + 11 * day),
      scrapped ? 1 + below(16) : '',
      modified(at + 10 * day),
    ]);
    each(1 + below(4), (step) => {
      const planned = at + step * 2 * day;
      routings.push([
        id,
        product,
        step,
        of([10, 20, 30, 40, 45, 50, 60]),
        isoTime(planned),
        isoTime(planned + 8 * day),
        id > 290 ? '' : isoTime(planned + hour * below(40)),
        id > 290 ? '' : isoTime(planned + 3 * day),
        '4.0000',
        '56.0000',
        modified(planned + 8 * day),
      ]);
    });
    transactions.push([
      100_000 + transactions.length,
      product,
      id,
      0,
      isoTime(at),
      'W',
      1 + below(90),
      '0.00',
      modified(at),
    ]);
  });
  for (const [order, detail, , quantity, product] of lines.slice(0, 300))
    transactions.push([
      100_000 + transactions.length,
      product,
      order,
      detail,
      isoTime(start + below(200) * day),
      'S',
      quantity,
      '2.00',
      modified(start),
    ]);

  const files: Readonly<Record<string, string>> = {
    Address: csv('AddressID,AddressLine1,AddressLine2,City,StateProvinceID,PostalCode,rowguid,ModifiedDate', addresses),
    CountryRegion: csv(
      'CountryRegionCode,Name,ModifiedDate',
      countries.map((code) => [code, `Country ${code}`, loaded]),
    ),
    CreditCard: csv('CreditCardID,CardType,CardNumber,ExpMonth,ExpYear,ModifiedDate', cards),
    Currency: csv(
      'CurrencyCode,Name,ModifiedDate',
      ['AUD', 'EUR', 'GBP', 'USD', 'CHF', 'JPY'].map((code) => [code, `Currency ${code}`, loaded]),
    ),
    CurrencyRate: csv(
      'CurrencyRateID,CurrencyRateDate,FromCurrencyCode,ToCurrencyCode,AverageRate,EndOfDayRate,ModifiedDate',
      rates,
    ),
    Customer: csv(
      'CustomerID,PersonID,StoreID,TerritoryID,AccountNumber,rowguid,ModifiedDate',
      customers.map(({ id, person, store, territory }) => [
        id,
        person,
        store,
        territory,
        `AW000${id}`,
        guid(),
        modified(Date.UTC(2014, 8, 12)),
      ]),
    ),
    Department: csv('DepartmentID,Name,GroupName,ModifiedDate', departments),
    Employee: csv(
      'BusinessEntityID,NationalIDNumber,LoginID,OrganizationLevel,JobTitle,BirthDate,MaritalStatus,Gender,HireDate,VacationHours,SickLeaveHours,rowguid,ModifiedDate',
      employees,
    ),
    EmployeeDepartmentHistory: csv('BusinessEntityID,DepartmentID,ShiftID,StartDate,EndDate,ModifiedDate', placements),
    Location: csv(
      'LocationID,Name,CostRate,Availability,ModifiedDate',
      [10, 20, 30, 40, 45, 50, 60, 1, 2, 3].map((id) => [id, `Location ${id}`, '22.50', '96.00', loaded]),
    ),
    Person: csv(
      'BusinessEntityID,PersonType,NameStyle,Title,FirstName,LastName,EmailPromotion,rowguid,ModifiedDate',
      people,
    ),
    Product: csv(
      'ProductID,Name,ProductNumber,MakeFlag,Color,SafetyStockLevel,StandardCost,ListPrice,ProductSubcategoryID,SellStartDate,SellEndDate,DiscontinuedDate,rowguid,ModifiedDate',
      products.map(({ id, category }) => [
        id,
        `Product ${id}`,
        `BK-${id}-${of(['M', 'L'])}`,
        below(2),
        of(['Red', 'Black', '']),
        4 + below(900),
        '10.00',
        '34.99',
        category,
        isoTime(Date.UTC(2008 + below(5), 4, 30)),
        below(4) === 0 ? isoTime(Date.UTC(2013, 4, 29)) : '',
        '',
        guid(),
        modified(Date.UTC(2014, 1, 8)),
      ]),
    ),
    ProductCategory: csv(
      'ProductCategoryID,Name,rowguid,ModifiedDate',
      each(4, (id) => [id, `Category ${id}`, guid(), loaded]),
    ),
    ProductSubcategory: csv(
      'ProductSubcategoryID,ProductCategoryID,Name,rowguid,ModifiedDate',
      each(37, (id) => [id, 1 + (id % 4), `Subcategory ${id}`, guid(), loaded]),
    ),
    ProductVendor: csv(
      'ProductID,BusinessEntityID,AverageLeadTime,StandardPrice,LastReceiptDate,MinOrderQty,UnitMeasureCode,ModifiedDate',
      supplied.map(([product, vendor]) => [
        product,
        vendor,
        10 + below(50),
        '47.87',
        isoTime(start + below(200) * day),
        1 + below(100),
        of(['CS', 'EA']),
        modified(start + 80 * day),
      ]),
    ),
    PurchaseOrderDetail: csv(
      'PurchaseOrderID,PurchaseOrderDetailID,DueDate,OrderQty,ProductID,UnitPrice,ReceivedQty,RejectedQty,StockedQty,ModifiedDate',
      purchased,
    ),
    PurchaseOrderHeader: csv(
      'PurchaseOrderID,RevisionNumber,Status,EmployeeID,VendorID,ShipMethodID,OrderDate,ShipDate,SubTotal,TaxAmt,Freight,ModifiedDate',
      purchases,
    ),
    SalesOrderDetail: csv(
      'SalesOrderID,SalesOrderDetailID,CarrierTrackingNumber,OrderQty,ProductID,SpecialOfferID,UnitPrice,UnitPriceDiscount,LineTotal,rowguid,ModifiedDate',
      lines,
    ),
    SalesOrderHeader: csv(
      'SalesOrderID,RevisionNumber,OrderDate,DueDate,ShipDate,Status,OnlineOrderFlag,SalesOrderNumber,PurchaseOrderNumber,AccountNumber,CustomerID,SalesPersonID,TerritoryID,BillToAddressID,ShipToAddressID,ShipMethodID,CreditCardID,CurrencyRateID,SubTotal,TaxAmt,Freight,TotalDue,rowguid,ModifiedDate',
      orders,
    ),
    SalesOrderHeaderSalesReason: csv('SalesOrderID,SalesReasonID,ModifiedDate', whys),
    SalesPerson: csv(
      'BusinessEntityID,TerritoryID,SalesQuota,Bonus,CommissionPct,SalesYTD,rowguid,ModifiedDate',
      sellers.map((id) => [id, 1 + below(10), '300000.00', '4100.00', '0.01', '3763178.17', guid(), modified(start)]),
    ),
    SalesReason: csv('SalesReasonID,Name,ReasonType,ModifiedDate', reasons),
    SalesTerritory: csv(
      'TerritoryID,Name,CountryRegionCode,Group,ModifiedDate',
      territories.map((row) => [...row, loaded]),
    ),
    ScrapReason: csv(
      'ScrapReasonID,Name,ModifiedDate',
      each(16, (id) => [id, `Scrap ${id}`, loaded]),
    ),
    Shift: csv('ShiftID,Name,StartTime,EndTime,ModifiedDate', shifts),
    ShipMethod: csv(
      'ShipMethodID,Name,ShipBase,ShipRate,rowguid,ModifiedDate',
      each(5, (id) => [id, `Method ${id}`, '3.95', '0.99', guid(), loaded]),
    ),
    SpecialOffer: csv('SpecialOfferID,Description,DiscountPct,Category,StartDate,EndDate,rowguid,ModifiedDate', offers),
    SpecialOfferProduct: csv(
      'SpecialOfferID,ProductID,rowguid,ModifiedDate',
      offered.map(([offer, product]) => [offer, product, guid(), modified(start)]),
    ),
    StateProvince: csv(
      'StateProvinceID,StateProvinceCode,CountryRegionCode,IsOnlyStateProvinceFlag,Name,TerritoryID,rowguid,ModifiedDate',
      provinces,
    ),
    Store: csv(
      'BusinessEntityID,Name,SalesPersonID,rowguid,ModifiedDate',
      stores.map((id) => [id, `Store ${id}`, of(sellers), guid(), modified(Date.UTC(2014, 8, 12))]),
    ),
    TransactionHistory: csv(
      'TransactionID,ProductID,ReferenceOrderID,ReferenceOrderLineID,TransactionDate,TransactionType,Quantity,ActualCost,ModifiedDate',
      transactions,
    ),
    Vendor: csv(
      'BusinessEntityID,AccountNumber,Name,CreditRating,PreferredVendorStatus,ActiveFlag,ModifiedDate',
      vendors.map((id) => [
        id,
        `VENDOR${pad(id)}`,
        `Vendor ${id}`,
        1 + below(3),
        1,
        1,
        modified(start - below(300) * day),
      ]),
    ),
    WorkOrder: csv(
      'WorkOrderID,ProductID,OrderQty,ScrappedQty,StartDate,EndDate,DueDate,ScrapReasonID,ModifiedDate',
      work,
    ),
    WorkOrderRouting: csv(
      'WorkOrderID,ProductID,OperationSequence,LocationID,ScheduledStartDate,ScheduledEndDate,ActualStartDate,ActualEndDate,PlannedCost,ActualCost,ModifiedDate',
      routings,
    ),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${name}.csv`, text]));
}

function pad(number: number): string {
  return String(number).padStart(6, '0');
}
