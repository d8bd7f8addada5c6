-- People who may sign in.
CREATE TABLE IF NOT EXISTS shop.users (
  id BIGSERIAL PRIMARY KEY,
  email VARCHAR(255) NOT NULL UNIQUE,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE orders (
  id INT PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES shop.users (id),
  total NUMERIC(10, 2)
);

CREATE INDEX idx_orders_user ON orders (user_id);

CREATE UNIQUE INDEX CONCURRENTLY "idx users email" ON shop.users (email);

/* Orders of this month. */
CREATE OR REPLACE VIEW recent_orders AS
SELECT o.id, u.email
FROM orders o
JOIN shop.users u ON u.id = o.user_id
WHERE o.total > 10;

CREATE MATERIALIZED VIEW totals AS SELECT user_id, sum(total) AS total FROM orders GROUP BY user_id;

CREATE TYPE mood AS ENUM ('sad', 'ok');

CREATE OR REPLACE FUNCTION add_user(mail TEXT) RETURNS BIGINT AS $$
  INSERT INTO shop.users (email) VALUES (mail) RETURNING id;
$$ LANGUAGE sql;

CREATE TRIGGER touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION touch_row();

CREATE SEQUENCE order_numbers START 1000;

ALTER TABLE orders ADD COLUMN note TEXT;

WITH big AS (SELECT * FROM orders WHERE total > 100)
SELECT count(*) FROM big;

INSERT INTO orders (id, user_id, total) VALUES (1, 1, 9.99);
