-- The backlog by organization, so that a batch takes from each of them whatever one of them has sent.
CREATE INDEX transmissions_backlog_by_organization ON transmissions (organization_id, sequence)
  WHERE status = 'RECEIVED';
