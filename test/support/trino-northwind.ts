/** Northwind in SQL that PostgreSQL and Trino understand alike; keys are given, as Trino knows none. */
export const northwindOverTrino = `version: 1
name: Northwind
dataSource: northwind
dataObjects: [customers, orders, order_details, employees]
elements:
  - activityName: Win Customer
    dataObject: customers
    key: customer_id
    entityType: customer
    joins: |
      LEFT JOIN (SELECT customer_id AS buyer, min(order_date) AS won FROM orders GROUP BY customer_id) AS f
        ON f.buyer = customers.customer_id
    startTimestamp: f.won
    properties: [company_name, city, country]
  - activityName: Place Order
    dataObject: orders
    key: order_id
    entityType: order
    startTimestamp: order_date
    changeTimestamp: shipped_date
    properties: [required_date, freight, ship_city]
    where: ship_country <> 'Brazil'
  - activityName: Add Order Line
    dataObject: order_details
    key: [order_id, product_id]
    entityType: order line
    joins: JOIN orders AS placed ON placed.order_id = order_details.order_id
    startTimestamp: placed.order_date
    properties: [unit_price, quantity, discount, placed.customer_id]
  - activityName: Hire Employee
    dataObject: employees
    key: employee_id
    entityType: employee
    startTimestamp: hire_date
    properties: [first_name, birth_date, reports_to]
relationships:
  - { name: buys, source: Win Customer, target: Place Order, mappings: [{ source: customer_id, operator: "=", target: customer_id }] }
  - { name: has, source: Place Order, target: Add Order Line, mappings: [{ source: order_id, operator: "=", target: order_id }] }
  - { name: takes, source: Hire Employee, target: Place Order, mappings: [{ source: employee_id, operator: "=", target: employee_id }, { source: city, operator: "not like", target: ship_city }] }
`;
