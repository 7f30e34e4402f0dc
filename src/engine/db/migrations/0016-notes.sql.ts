// Notes of visits that still run: a visit may have several rows, which are laid together by the numbers of their lines.

export const name = "0016-notes";

export const up = `
-- How many lines of the visit came before those of the row. Null in rows of earlier releases, which hold all that was left: as
-- many as were dropped.
alter table sluice.visit_log add column first int check (first >= 0);

-- When the visit began, from where its lines count their time. Null in rows of earlier releases.
alter table sluice.visit_log add column began_at timestamptz;
`;
