CREATE TABLE a (id INT);

CREATE PROCEDURE archive_orders(IN before_date DATE)
BEGIN
  DELETE FROM orders WHERE placed < before_date;
  INSERT INTO audit (what) VALUES ('archived');
END;

CREATE FUNCTION total_of(p_user BIGINT) RETURNS NUMERIC AS $body$
DECLARE
  result NUMERIC;
BEGIN
  SELECT sum(total) INTO result FROM orders WHERE user_id = p_user;
  RETURN result;
END;
$body$ LANGUAGE plpgsql;

CREATE TABLE b (id INT PRIMARY KEY
