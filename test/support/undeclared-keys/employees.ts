import { type Cells, chance, csv, day, each, isoDay } from './table-files.ts';

/** The six tables of the public Employees sample database (employees, departments and their histories), with rows made up here. */
export function employees(): Readonly<Record<string, string>> {
  const { below, of } = chance(6);
  const forever = '9999-01-01';
  const names = [
    'Sales',
    'Marketing',
    'Finance',
    'Research',
    'Production',
    'Quality',
    'Human Resources',
    'Customer Service',
    'Development',
  ];
  const departments = names.map((name, at) => [`d00${at + 1}`, name] as const);
  const titles: Cells[] = [];
  const salaries: Cells[] = [];
  const members: Cells[] = [];
  const people = each(400, (number): Cells => {
    const employee = 10_000 + number;
    const hired = Date.UTC(1985, 0, 1) + below(5000) * day;
    const [first] = [of(['Staff', 'Engineer', 'Assistant Engineer'])];
    const promoted = hired + (900 + below(1500)) * day;
    titles.push([employee, first, isoDay(hired), number % 3 === 0 ? isoDay(promoted) : forever]);
    if (number % 3 === 0) titles.push([employee, `Senior ${first}`, isoDay(promoted), forever]);
    const raises = 1 + below(5);
    each(raises, (raise) => {
      const from = hired + (raise - 1) * 365 * day;
      salaries.push([
        employee,
        40_000 + below(40_000),
        isoDay(from),
        raise === raises ? forever : isoDay(from + 365 * day),
      ]);
    });
    const home = of(departments)[0];
    const moved = below(5) === 0 ? departments.find(([id]) => id !== home)?.[0] : undefined;
    members.push([employee, home, isoDay(hired), moved === undefined ? forever : isoDay(promoted)]);
    if (moved !== undefined) members.push([employee, moved, isoDay(promoted), forever]);
    return [
      employee,
      isoDay(Date.UTC(1952, 0, 1) + below(4700) * day),
      of(['Georgi', 'Bezalel', 'Parto', 'Saniya']),
      of(['Facello', 'Simmel', 'Bamford', 'Koblick']),
      of(['M', 'F']),
      isoDay(hired),
    ];
  });
  const managers = departments.flatMap(([department], at): Cells[] => [
    [10_001 + at * 7, department, isoDay(Date.UTC(1985, 0, 1)), isoDay(Date.UTC(1991, 9, 1 + at))],
    [10_003 + at * 7, department, isoDay(Date.UTC(1991, 9, 1 + at)), forever],
  ]);
  return {
    'employees.csv': csv('emp_no,birth_date,first_name,last_name,gender,hire_date', people),
    'departments.csv': csv('dept_no,dept_name', departments),
    'dept_emp.csv': csv('emp_no,dept_no,from_date,to_date', members),
    'dept_manager.csv': csv('emp_no,dept_no,from_date,to_date', managers),
    'titles.csv': csv('emp_no,title,from_date,to_date', titles),
    'salaries.csv': csv('emp_no,salary,from_date,to_date', salaries),
  };
}
