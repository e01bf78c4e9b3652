-- What staff look for among millions of transmissions. A transmission is written three times, and every index that holds it then is
-- written three times with it.

-- By time, in the order of the list. New entries go to the end: measured, 3 µs and 300 bytes of WAL a transmission.
CREATE INDEX transmissions_by_time ON transmissions (received_at, transmission_reference);

-- By policy or certificate number only those that were rejected: the others are found by the record that they are about, or in the
-- backlog. An index of all costs 20 µs a transmission, these nothing unless it is rejected, and then 15 µs together.
CREATE INDEX transmissions_rejected_by_policy ON transmissions (policy_number) WHERE status = 'REJECTED';
CREATE INDEX transmissions_rejected_by_coc ON transmissions (coc_number) WHERE status = 'REJECTED';

-- By error code, in the order of the list: rejected ones again.
CREATE INDEX transmissions_by_error ON transmissions (error_code, transmission_reference) WHERE error_code IS NOT NULL;
