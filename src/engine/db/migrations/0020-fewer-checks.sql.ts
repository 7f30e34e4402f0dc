// A check constraint is text, which the server reads anew in every statement that writes to the table. What stays refuses a state
// without what belongs to it; whether a number is within its range the doctor looks.

export const name = "0020-fewer-checks";

export const up = `
alter table sluice.run
  drop constraint run_attempts_check, drop constraint run_backs_check, drop constraint run_crashes_check,
  drop constraint run_priority_check, drop constraint run_progress_check, drop constraint run_series_check,
  drop constraint run_stage_check, drop constraint run_state_check, drop constraint run_suspicion_check,
  drop constraint run_waits_check;
`;
