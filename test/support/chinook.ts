/**
 * The schema of Chinook, a public sample database of a shop for music: names of its tables, columns and keys, with rows
 * made up here.
 */
export const chinook = `
CREATE TABLE artist (artist_id int PRIMARY KEY, name varchar(120));
CREATE TABLE album (album_id int PRIMARY KEY, title varchar(160) NOT NULL, artist_id int NOT NULL REFERENCES artist);
CREATE TABLE genre (genre_id int PRIMARY KEY, name varchar(120));
CREATE TABLE media_type (media_type_id int PRIMARY KEY, name varchar(120));
CREATE TABLE employee (
  employee_id int PRIMARY KEY, last_name varchar(20) NOT NULL, first_name varchar(20) NOT NULL, title varchar(30),
  reports_to int REFERENCES employee, birth_date timestamp, hire_date timestamp, address varchar(70), city varchar(40),
  state varchar(40), country varchar(40), postal_code varchar(10), phone varchar(24), fax varchar(24), email varchar(60));
CREATE TABLE customer (
  customer_id int PRIMARY KEY, first_name varchar(40) NOT NULL, last_name varchar(20) NOT NULL, company varchar(80),
  address varchar(70), city varchar(40), state varchar(40), country varchar(40), postal_code varchar(10),
  phone varchar(24), fax varchar(24), email varchar(60) NOT NULL, support_rep_id int REFERENCES employee);
CREATE TABLE invoice (
  invoice_id int PRIMARY KEY, customer_id int NOT NULL REFERENCES customer, invoice_date timestamp NOT NULL,
  billing_address varchar(70), billing_city varchar(40), billing_state varchar(40), billing_country varchar(40),
  billing_postal_code varchar(10), total numeric(10, 2) NOT NULL);
CREATE TABLE track (
  track_id int PRIMARY KEY, name varchar(200) NOT NULL, album_id int REFERENCES album,
  media_type_id int NOT NULL REFERENCES media_type, genre_id int REFERENCES genre, composer varchar(220),
  milliseconds int NOT NULL, bytes int, unit_price numeric(10, 2) NOT NULL);
CREATE TABLE invoice_line (
  invoice_line_id int PRIMARY KEY, invoice_id int NOT NULL REFERENCES invoice, track_id int NOT NULL REFERENCES track,
  unit_price numeric(10, 2) NOT NULL, quantity int NOT NULL);
CREATE TABLE playlist (playlist_id int PRIMARY KEY, name varchar(120));
CREATE TABLE playlist_track (
  playlist_id int NOT NULL REFERENCES playlist, track_id int NOT NULL REFERENCES track,
  PRIMARY KEY (playlist_id, track_id));
INSERT INTO artist SELECT n, 'Artist ' || n FROM generate_series(1, 20) AS n;
INSERT INTO album SELECT n, 'Album ' || n, 1 + n % 20 FROM generate_series(1, 30) AS n;
INSERT INTO genre SELECT n, 'Genre ' || n FROM generate_series(1, 5) AS n;
INSERT INTO media_type SELECT n, 'Medium ' || n FROM generate_series(1, 3) AS n;
INSERT INTO employee SELECT n, 'Last ' || n, 'First ' || n, 'Clerk', CASE WHEN n > 1 THEN 1 END,
  timestamp '1960-01-01' + n * interval '400 days', timestamp '2002-01-01' + n * interval '60 days'
  FROM generate_series(1, 8) AS n;
INSERT INTO customer SELECT n, 'First ' || n, 'Last ' || n, NULL, n || ' Street', 'City', NULL, 'Country ' || n % 7, NULL,
  NULL, NULL, 'person' || n || '@example.com', 3 + n % 3 FROM generate_series(1, 60) AS n;
INSERT INTO invoice SELECT n, 1 + n % 60, timestamp '2021-01-01' + n * interval '31 hours', n || ' Street', 'City', NULL,
  'Country ' || n % 7, NULL, 0.99 * (1 + n % 5) FROM generate_series(1, 400) AS n;
INSERT INTO track SELECT n, 'Track ' || n, 1 + n % 30, 1 + n % 3, 1 + n % 5, NULL, 200000 + n, 5000000 + n, 0.99
  FROM generate_series(1, 300) AS n;
INSERT INTO invoice_line SELECT n, 1 + n % 400, 1 + n % 300, 0.99, 1 FROM generate_series(1, 2000) AS n;
INSERT INTO playlist SELECT n, 'Playlist ' || n FROM generate_series(1, 6) AS n;
INSERT INTO playlist_track SELECT 1 + n % 6, n FROM generate_series(1, 300) AS n;
ANALYZE;
`;
